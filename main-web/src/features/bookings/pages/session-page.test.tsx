import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later, TERMS } from "./session-fixtures";
import { formatFullDay } from "@porchlight/shared/format/calendar-days";
import { localDay } from "@porchlight/shared/format/session-times";

const { responses, calls } = apiServer();
const BOOKING = bookingOf();
const serve = (changes: object = {}) => responses.set("GET /api/bookings/b1", { body: { ...BOOKING, ...changes } });
const page = async (name = "Knife skills") => screen.findByRole("heading", { level: 1, name });

describe("a session", () => {
  it("shows the new cost when the terms changed, and keeps the reason", async () => {
    serve();
    const late = { ...TERMS, owedCents: 3750, freeUntil: null, digest: "second" };
    const message = "The time for a free cancellation has passed. Please look at the terms again.";
    responses.set("POST /api/bookings/b1/cancellation", () => {
      serve({ terms: late });
      return { status: 409, body: { code: "terms_changed", message } };
    });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Cancel session" }));
    const dialog = await screen.findByRole("alertdialog");
    expect(document.activeElement?.textContent).toBe("Keep session");
    await user.type(within(dialog).getByLabelText(/^Reason for Chef Guru/), "I am ill");
    await user.click(within(dialog).getByRole("button", { name: "Cancel session" }));
    expect(await within(dialog).findByText(message)).toBeTruthy();
    expect(await within(dialog).findByText(/You owe \$37\.50 if you cancel now\./)).toBeTruthy();

    responses.set("POST /api/bookings/b1/cancellation", () => {
      serve({ status: "canceled", endedBy: "person", owedCents: 3750, terms: late });
      return { body: { ...BOOKING, status: "canceled", endedBy: "person", owedCents: 3750, terms: late } };
    });
    await user.click(within(dialog).getByRole("button", { name: "Cancel session" }));
    expect(await screen.findByText("You canceled this session.")).toBeTruthy();
    expect(screen.getByText("You owe $37.50.")).toBeTruthy();
    const sent = calls.filter(({ route }) => route.startsWith("POST")).map(({ body }) => body);
    expect(sent).toEqual([
      { termsDigest: "first", reason: "I am ill" },
      { termsDigest: "second", reason: "I am ill" },
    ]);
  });

  it("moves to another free time after one was taken", async () => {
    serve();
    // Noon and 1 PM in Denver or later: two times of one day.
    const day = later(96).slice(0, 10);
    const times = [`${day}T19:00:00.000Z`, `${day}T20:00:00.000Z`];
    const slots = (starts: string[]) => ({
      body: { days: 62, starts: starts.map((startsAt) => ({ startsAt, seats: 1 })), full: [], next: null },
    });
    responses.set("GET /api/gurus/cooking/services/s1/slots", slots(times));
    responses.set("POST /api/bookings/b1/move", () => {
      responses.set("GET /api/gurus/cooking/services/s1/slots", slots(times.slice(1)));
      const message = "That time was just taken. Please choose another.";
      return { status: 409, body: { code: "slot_taken", message } };
    });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Move session" }));
    const dialog = await screen.findByRole("dialog");
    const submit = within(dialog).getByRole("button", { name: "Move session" });
    expect((submit as HTMLButtonElement).disabled).toBe(true);
    const [first] = await within(dialog).findAllByRole("radio");
    if (!first) throw new Error("no free time");
    await user.click(first);
    await user.click(submit);
    expect(await within(dialog).findByText("That time was just taken. Please choose another.")).toBeTruthy();
    await waitFor(() => expect(within(dialog).getAllByRole("radio")).toHaveLength(1));

    const moved = { startsAt: times[1], endsAt: `${day}T21:00:00.000Z` };
    responses.set("POST /api/bookings/b1/move", () => {
      serve(moved);
      return { body: { ...BOOKING, ...moved } };
    });
    await user.click(within(dialog).getByRole("radio"));
    await user.click(submit);
    expect(await screen.findByText(/^Your session is moved to /)).toBeTruthy();
    const sent = calls.filter(({ route }) => route.startsWith("POST")).map(({ body }) => body);
    expect(sent).toEqual(times.map((startsAt) => ({ startsAt, termsDigest: "first" })));
  });

  it("leads to calendars, a map, the guru and the same service again", async () => {
    serve();
    renderApp("/sessions/b1", ADA);
    await page();
    const map = screen.getByRole("link", { name: "Open in Maps" });
    expect(map.getAttribute("href")).toBe("https://www.openstreetmap.org/search?query=12%20Elm%20Street");
    const guru = within(screen.getByRole("region", { name: "Chef Guru" }));
    expect(guru.getByRole("link", { name: "See the site" }).getAttribute("href")).toBe(BOOKING.guru.url);
    expect(guru.getByRole("link", { name: "Book again" }).getAttribute("href")).toMatch(/\/services\/s1\/times$/);
    await userEvent.setup().click(screen.getByRole("button", { name: "Add to calendar" }));
    const google = new URL((await screen.findByRole<HTMLAnchorElement>("menuitem", { name: "Google Calendar" })).href);
    expect(google.searchParams.get("text")).toBe("Knife skills with Chef Guru");
    expect(google.searchParams.get("location")).toBe("12 Elm Street");
    expect(google.searchParams.get("details")).toContain("/sessions/b1");
  });

  it("opens the calendar at the session's day", async () => {
    const sessionDay = formatFullDay(localDay(BOOKING.startsAt, BOOKING.zone));
    serve();
    const starts = [{ startsAt: later(73), seats: 1 }];
    responses.set("GET /api/gurus/cooking/services/s1/slots", { body: { days: 35, starts, full: [], next: null } });
    renderApp("/sessions/b1", ADA);
    await page();
    await userEvent.setup().click(screen.getByRole("button", { name: "Move session" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByRole("button", { name: new RegExp(`^${sessionDay}, your session now, `) })).toBeTruthy();
  });

  it("accepts the time that the guru proposes", async () => {
    const proposal = { startsAt: later(96), answerUntil: later(24), reason: "My oven broke." };
    serve({ proposal });
    renderApp("/sessions/b1", ADA);
    await page();
    const card = within(screen.getByRole("region", { name: "Chef Guru asks to move this session" }));
    expect(card.getByText("“My oven broke.”")).toBeTruthy();
    responses.set("POST /api/bookings/b1/answers", () => {
      serve({ startsAt: proposal.startsAt, endsAt: later(97) });
      return { body: { ...BOOKING, startsAt: proposal.startsAt, endsAt: later(97) } };
    });
    await userEvent.setup().click(card.getByRole("button", { name: "Accept the new time" }));
    expect(await screen.findByText(/^Your session is moved to /)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText("Chef Guru asks to move this session")).toBeNull());
    const sent = calls.filter(({ route }) => route.startsWith("POST")).map(({ body }) => body);
    expect(sent).toEqual([{ accept: true, startsAt: proposal.startsAt, reason: "", wholeSeries: false }]);
  });

  it("cancels for free when the proposed time does not fit", async () => {
    const proposal = { startsAt: later(96), answerUntil: later(24), reason: "My oven broke." };
    serve({ proposal });
    const canceled = { ...BOOKING, status: "canceled", endedBy: "person" };
    responses.set("POST /api/bookings/b1/answers", () => {
      serve(canceled);
      return { body: canceled };
    });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Cancel for free" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(document.activeElement?.textContent).toBe("Keep session");
    await user.type(dialog.getByLabelText(/^Reason for Chef Guru/), "I work then");
    await user.click(dialog.getByRole("button", { name: "Cancel for free" }));
    expect(await screen.findByText("You canceled this session.")).toBeTruthy();
    expect(screen.getByText("You owe nothing.")).toBeTruthy();
    const sent = calls.filter(({ route }) => route.startsWith("POST")).map(({ body }) => body);
    expect(sent).toEqual([{ accept: false, startsAt: proposal.startsAt, reason: "I work then", wholeSeries: false }]);
  });

  it("says that a proposal is no longer open", async () => {
    serve({ proposal: { startsAt: later(96), answerUntil: later(24), reason: "Ill." } });
    const message = "This proposal is no longer open. Your session stays as it is.";
    responses.set("POST /api/bookings/b1/answers", () => {
      serve();
      return { status: 409, body: { code: "proposal_ended", message } };
    });
    renderApp("/sessions/b1", ADA);
    await page();
    await userEvent.setup().click(screen.getByRole("button", { name: "Accept the new time" }));
    expect(await screen.findByText(message)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText("Chef Guru asks to move this session")).toBeNull());
    expect(screen.getByRole("button", { name: "Cancel session" })).toBeTruthy();
  });

  it("lets people sign a waiver that is due", async () => {
    serve({ waiverLevel: "low", waiverUntil: later(1), waiverDue: true });
    const assessed = {
      rating: "low",
      level: "low",
      reasons: [],
      known: true,
      requiresWaiver: false,
      requiresContact: false,
    };
    responses.set("POST /api/liability/risk", { body: assessed });
    const text = { level: "low", version: 1, title: "Waiver", body: "Be careful.", sha256: "", validDays: 90 };
    responses.set("GET /api/liability/texts/low", { body: text });
    responses.set("POST /api/liability/waiver", () => {
      serve({ waiverLevel: "low", waiverId: "w1", waiverUntil: later(2000) });
      return { status: 201, body: { waiverId: "w1", acceptedAt: later(0), expiresAt: later(2000) } };
    });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Sign the waiver" }));
    const dialog = await screen.findByRole("dialog", { name: "Liability waiver" });
    await within(dialog).findByText("Be careful.");
    for (const box of within(dialog).getAllByRole("checkbox").slice(0, 3)) await user.click(box);
    await user.type(within(dialog).getByLabelText("Participant's name"), "Ada Lovelace");
    await user.click(within(dialog).getByRole("button", { name: "Accept" }));
    expect(await screen.findByText("Your waiver is signed.")).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Download receipt: Knife skills" }));
    await waitFor(() => expect(calls.at(-1)?.route).toBe("GET /api/liability/waivers/w1/receipt"));
    expect(screen.getByRole("link", { name: "See your waivers" }).getAttribute("href")).toBe("/waivers");
    expect(calls.find(({ route }) => route === "POST /api/liability/waiver")?.body).toMatchObject({
      exchangeId: "cooking/s1",
      riskLevel: "low",
    });
  });

  it("asks to sign a waiver later while it would expire too early", async () => {
    const times = { startsAt: later(24 * 40), endsAt: later(24 * 40 + 1) };
    serve({ ...times, waiverLevel: "high", waiverUntil: later(24 * 30), waiverDue: true });
    renderApp("/sessions/b1", ADA);
    await page();
    expect(screen.getByText(/Please sign it in the 30 days before the session\./)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Sign the waiver" })).toBeNull();
  });

  it("says why the guru declined and offers other times", async () => {
    serve({ status: "declined", endedBy: "guru", reason: "I am away." });
    renderApp("/sessions/b1", ADA);
    await page();
    expect(screen.getByText("Chef Guru couldn't take this session.")).toBeTruthy();
    expect(screen.getByText("Reason: “I am away.”")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Choose another time" }).getAttribute("href")).toMatch(
      /\/\/cooking\..*\/services\/s1\/times$/,
    );
    expect(screen.queryByRole("button", { name: "Cancel session" })).toBeNull();
  });

  it("says that the guru did not answer a request", async () => {
    serve({ status: "expired", endedBy: "system" });
    renderApp("/sessions/b1", ADA);
    await page();
    expect(screen.getByText("This request expired: Chef Guru didn't answer in time.")).toBeTruthy();
    expect(screen.getByText("No answer")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Choose another time" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Cancel|Withdraw/ })).toBeNull();
  });

  it("shows an unknown session with a way back", async () => {
    responses.set("GET /api/bookings/b1", { status: 404, body: { code: "not_found", message: "no" } });
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("We can't find this session.")).toBeTruthy();
  });

  it("lists the other sessions of its series", async () => {
    const canceled = { ...BOOKING, id: "b2", seriesId: "b1", startsAt: later(200), status: "canceled" };
    serve({ seriesId: "b1" });
    responses.set("GET /api/bookings/series/b1", { status: 503 });
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("We couldn't load the other sessions.")).toBeTruthy();
    const bookings = [{ ...BOOKING, seriesId: "b1" }, canceled];
    responses.set("GET /api/bookings/series/b1", { body: { id: "b1", bookings } });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    const list = within(await screen.findByRole("list", { name: "Sessions" }));
    expect(list.getByText("This session")).toBeTruthy();
    expect(list.getByText("Canceled")).toBeTruthy();
    expect(list.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/sessions/b2"]);
  });

  it("can be loaded again after an error", async () => {
    responses.set("GET /api/bookings/b1", { status: 500 });
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("We couldn't load your session")).toBeTruthy();
    serve();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await page();
  });
});

describe("the list of sessions", () => {
  const list = (bookings: object[], nextCursor: string | null = null) => ({ body: { bookings, nextCursor } });

  it("has tabs, pages and an empty state", async () => {
    const second = { ...BOOKING, id: "b2", serviceName: "Baking" };
    responses.set("GET /api/bookings", ({ route }) => {
      if (!route.includes("when=upcoming")) return list([]);
      return route.includes("cursor=c1") ? list([second]) : list([BOOKING], "c1");
    });
    responses.set("GET /api/waitlist", { body: { entries: [] } });
    const { router } = renderApp("/sessions", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByRole("link", { name: "Baking" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Knife skills" }).getAttribute("href")).toBe("/sessions/b1");
    await user.click(screen.getByRole("tab", { name: "Waiting" }));
    expect(await screen.findByText("You aren't waiting for an answer or a spot.")).toBeTruthy();
    expect(router.state.location.search).toBe("?tab=waiting");
  });

  it("says that there are none yet", async () => {
    responses.set("GET /api/bookings", list([]));
    renderApp("/sessions", ADA);
    expect(await screen.findByText("No sessions yet. Find something to learn.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Browse skills" }).getAttribute("href")).toBe("/skills");
  });

  it("shows the placeholder while bookings are off", async () => {
    responses.set("GET /api/config", { body: { flags: { booking: false } } });
    renderApp("/sessions", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Sessions Coming Soon" })).toBeTruthy();
  });
});

describe("the next session on the dashboard", () => {
  it("links to its page", async () => {
    responses.set("GET /api/bookings", { body: { bookings: [BOOKING], nextCursor: null } });
    responses.set("GET /api/exchanges", { body: { exchanges: [], nextCursor: null } });
    renderApp("/dashboard", ADA);
    const next = within(await screen.findByRole("region", { name: "Your next session" }));
    expect(await next.findByRole("heading", { name: "Knife skills with Chef Guru" })).toBeTruthy();
    expect(next.getByRole("link", { name: "See details" }).getAttribute("href")).toBe("/sessions/b1");
  });
});

describe("the waivers of a session", () => {
  const person = { signedBy: "", email: "", emailedAt: null, canSend: false, waiverUntil: null };
  const theo = { ...person, number: 2, name: "Theo Barnes", signer: "link", covered: false, canSend: true };
  const people = [
    { ...person, number: 1, name: "Ada", signer: "self", covered: true, waiverUntil: later(200) },
    theo,
    { ...person, number: 3, name: "Mia", signer: "guardian", covered: false },
  ];
  const waivers = { waiverLevel: "high", waiverDue: true, party: 3, people };
  const LINK = "POST /api/bookings/b1/participants/2/link";

  it("are shown by name, with a link to send or to copy", async () => {
    serve(waivers);
    renderApp("/sessions/b1", ADA);
    await page();
    expect(screen.getByText("2 waivers are missing.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Sign for Mia" })).toBeTruthy();
    const user = userEvent.setup();
    responses.set(LINK, { body: { url: "https://porchlight.example/sign/abc", sent: false } });
    await user.click(screen.getByRole("button", { name: "Show the link" }));
    const field = await screen.findByLabelText<HTMLInputElement>("Link for Theo Barnes");
    expect(field.value).toBe("https://porchlight.example/sign/abc");
    const message = "Enter a valid email address.";
    responses.set(LINK, {
      status: 422,
      body: { code: "validation_failed", message: "Check it.", fields: { email: message } },
    });
    await user.type(screen.getByLabelText("Email of Theo Barnes"), "theo@");
    await user.click(screen.getByRole("button", { name: "Email the link" }));
    expect(await screen.findByText(message)).toBeTruthy();
    responses.set(LINK, { body: { url: "https://porchlight.example/sign/abc", sent: true } });
    await user.type(screen.getByLabelText("Email of Theo Barnes"), "example.com");
    await user.click(screen.getByRole("button", { name: "Email the link" }));
    expect(await screen.findByText("The link is on its way to theo@example.com.")).toBeTruthy();
  });

  it.each(["canceled", "completed"])("are not called signed after a %s session that lacked one", async (status) => {
    serve({ ...waivers, status, waiverDue: false });
    renderApp("/sessions/b1", ADA);
    await page();
    expect(screen.queryByText(/Everyone's liability waiver is signed/)).toBeNull();
    expect(screen.getAllByText("Not yet signed")).toHaveLength(2);
    expect(screen.queryByRole("button", { name: "Sign for Mia" })).toBeNull();
  });

  it("offer to sign in the dialog after a move that needs a new one", async () => {
    serve();
    const day = later(96).slice(0, 10);
    const startsAt = `${day}T19:00:00.000Z`;
    responses.set("GET /api/gurus/cooking/services/s1/slots", {
      body: { days: 62, starts: [{ startsAt, seats: 1 }], full: [], next: null },
    });
    const moved = { startsAt, endsAt: `${day}T20:00:00.000Z`, waiverLevel: "high", waiverDue: true };
    const me = [{ ...person, number: 1, name: "Ada", signer: "self", covered: false }];
    responses.set("POST /api/bookings/b1/move", () => {
      serve({ ...moved, people: me });
      return { body: { ...BOOKING, ...moved, people: me } };
    });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Move session" }));
    await user.click(await screen.findByRole("radio"));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Move session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Your session is moved" }));
    await user.click(dialog.getByRole("button", { name: "Sign the waiver" }));
    expect(await screen.findByRole("dialog", { name: "Liability waiver" })).toBeTruthy();
  });
});

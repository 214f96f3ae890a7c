import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { WaitlistEntry, WaitlistSession } from "../lib/types";
import { formatClock, zoneName } from "@porchlight/shared/format/session-times";

const { responses, calls } = apiServer();

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Math.ceil(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();
const ZONE = "America/Denver";
const START = inHours(72);
const SESSION: WaitlistSession = {
  id: "a1",
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s1",
  serviceName: "Group Workshop",
  startsAt: START,
  endsAt: inHours(73),
  zone: ZONE,
  place: "guru",
  priceCents: 4500,
  currency: "USD",
  partyMax: 3,
  seats: 0,
  entry: null,
  bookingId: null,
  offerEnded: false,
};
const { id, guruLabel, guruName, serviceId, serviceName, startsAt, endsAt, zone } = SESSION;
const ENTRY: WaitlistEntry = {
  ...{ id, guruLabel, guruName, serviceId, serviceName, startsAt, endsAt, zone },
  status: "waiting",
  position: 2,
  offeredUntil: null,
  party: 1,
};
const UNTIL = inHours(1);
const OFFER: WaitlistEntry = { ...ENTRY, status: "offered", position: null, offeredUntil: UNTIL };
const OFFER_TEXT = `A spot is free. It's yours until ${formatClock(UNTIL, ZONE)} ${zoneName(UNTIL, ZONE)}.`;
const JOIN = `/sessions/waitlist?guru=cooking&service=s1&start=${encodeURIComponent(START)}&party=2`;
const PLACE = "/sessions/waitlist/a1";

const serve = (changes: Partial<WaitlistSession> = {}) => {
  const answer = { body: { ...SESSION, ...changes } };
  responses.set("GET /api/waitlist/sessions", answer);
  responses.set("GET /api/waitlist/sessions/a1", answer);
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

beforeEach(() => serve());

describe("joining a waitlist", () => {
  it("returns signed-out visitors to the session after the login", async () => {
    const { router } = renderApp(JOIN);
    expect(await screen.findByText("Please sign in to join the waitlist.")).toBeTruthy();
    expect(router.state.location.state).toMatchObject({ from: JOIN });
  });

  it("shows the session, sends the party and goes on to the place", async () => {
    responses.set("POST /api/waitlist", () => {
      serve({ entry: { ...ENTRY, party: 3 } });
      return { status: 201, body: { ...ENTRY, party: 3 } };
    });
    const { router } = renderApp(JOIN, ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Group Workshop" })).toBeTruthy();
    expect(screen.getByText("$90")).toBeTruthy();
    await userEvent.selectOptions(screen.getByLabelText("How many people?"), "3");
    await press("Join the waitlist");
    expect(await screen.findByText("You're number 2 in line.")).toBeTruthy();
    expect(router.state.location.pathname).toBe(PLACE);
    const { body } = calls.find(({ route }) => route === "POST /api/waitlist") ?? {};
    expect(body).toEqual({ guru: "cooking", serviceId: "s1", startsAt: START, party: 3 });
  });

  it("offers to book free spots instead", async () => {
    serve({ seats: 1 });
    renderApp(JOIN, ADA);
    // One seat is too little for two.
    expect(await screen.findByRole("button", { name: "Join the waitlist" })).toBeTruthy();
    await userEvent.selectOptions(screen.getByLabelText("How many people?"), "1");
    const link = screen.getByRole("link", { name: "Book this session" });
    expect(link.getAttribute("href")).toBe(JOIN.replace("/sessions/waitlist", "/book").replace("party=2", "party=1"));
  });

  it("keeps the choice and reads the session again when it is refused", async () => {
    const message = "This waitlist is full. Please choose another time.";
    responses.set("POST /api/waitlist", { status: 409, body: { code: "waitlist_full", message } });
    renderApp(JOIN, ADA);
    await press("Join the waitlist");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText<HTMLSelectElement>("How many people?").value).toBe("2");
    await waitFor(() =>
      expect(calls.filter(({ route }) => route.startsWith("GET /api/waitlist/sessions"))).toHaveLength(2),
    );
  });

  it("asks for a verified email first", async () => {
    renderApp(JOIN, { ...ADA, user: { ...ADA.user, emailVerified: false } });
    expect(await screen.findByRole("heading", { name: "Verify your email" })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Join the waitlist" }).disabled).toBe(true);
  });

  it("explains a link without a session, and a session that is gone", async () => {
    renderApp("/sessions/waitlist?guru=cooking", ADA);
    expect(await screen.findByText("This link is incomplete")).toBeTruthy();
    responses.delete("GET /api/waitlist/sessions");
    renderApp(JOIN, ADA);
    expect(await screen.findByText("This session isn't offered anymore")).toBeTruthy();
  });

  it("can be tried again when the session did not load", async () => {
    responses.set("GET /api/waitlist/sessions", { status: 503, body: { code: "unavailable", message: "Try later." } });
    renderApp(JOIN, ADA);
    expect(await screen.findByText("We couldn't load the waitlist")).toBeTruthy();
    serve();
    await press("Try again");
    expect(await screen.findByRole("button", { name: "Join the waitlist" })).toBeTruthy();
  });
});

describe("a place on a waitlist", () => {
  it("is given up after a question only", async () => {
    serve({ entry: ENTRY });
    responses.set("DELETE /api/waitlist/a1", { body: {} });
    const { router } = renderApp(PLACE, ADA);
    await press("Leave the waitlist");
    const dialog = await screen.findByRole("alertdialog", { name: "Leave the waitlist?" });
    expect(document.activeElement?.textContent).toBe("Stay");
    await userEvent.click(within(dialog).getByRole("button", { name: "Leave the waitlist" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/sessions"));
  });

  it("leads from the free spot to the booking", async () => {
    serve({ entry: OFFER });
    const token = "A".repeat(43);
    responses.set("POST /api/waitlist/a1/hold", { body: { token, expiresAt: UNTIL } });
    const { router } = renderApp(PLACE, ADA);
    expect(await screen.findByText(OFFER_TEXT)).toBeTruthy();
    await press("Take the spot");
    await waitFor(() => expect(router.state.location.pathname).toBe(`/book/${token}`));
  });

  it("passes the free spot on", async () => {
    serve({ entry: OFFER });
    responses.set("DELETE /api/waitlist/a1", { body: {} });
    renderApp(PLACE, ADA);
    await press("No, thanks");
    await press("Give up the spot");
    expect(await screen.findByText("Thanks. The next person can have it.")).toBeTruthy();
  });

  it("can be joined again after the offer has ended", async () => {
    serve({ entry: { ...OFFER, offeredUntil: new Date(Date.now() - 1000).toISOString() } });
    renderApp(PLACE, ADA);
    const ended = "The time for your free spot has passed, so it went to the next person.";
    expect(await screen.findByText(ended)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Join the waitlist" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Take the spot" })).toBeNull();
  });

  it("links to the session once it is booked", async () => {
    serve({ bookingId: "b1" });
    renderApp(PLACE, ADA);
    expect((await screen.findByRole("link", { name: "View your session" })).getAttribute("href")).toBe("/sessions/b1");
  });
});

describe("the sessions page", () => {
  it("lists waitlists with requests, and tells of a free spot", async () => {
    responses.set("GET /api/bookings", { body: { bookings: [], nextCursor: null } });
    responses.set("GET /api/waitlist", { body: { entries: [OFFER, { ...ENTRY, id: "a2", party: 2 }] } });
    renderApp("/sessions?tab=waiting", ADA);
    const list = await screen.findByRole("list", { name: "Waitlists" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual([
      expect.stringContaining(OFFER_TEXT),
      expect.stringContaining("You're number 2 in line. You're waiting for 2 spots."),
    ]);
    expect(screen.getByRole("link", { name: "View it" }).getAttribute("href")).toBe(PLACE);
    expect(screen.queryByText("You aren't waiting for an answer or a spot.")).toBeNull();
  });

  it("says that no one waits for anything", async () => {
    responses.set("GET /api/bookings", { body: { bookings: [], nextCursor: null } });
    responses.set("GET /api/waitlist", { body: { entries: [] } });
    renderApp("/sessions?tab=waiting", ADA);
    expect(await screen.findByText("You aren't waiting for an answer or a spot.")).toBeTruthy();
  });
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later } from "./session-fixtures";

const { responses, calls } = apiServer();
const BOOKING = bookingOf({ seriesId: "b1" });
const WEEKS = [0, 168, 336];
const following = (fits: (string | null)[] = [null, null, null]) => ({
  sessions: WEEKS.map((hours, index) => ({
    id: `b${index + 1}`,
    status: "confirmed",
    startsAt: later(72 + hours),
    endsAt: later(73 + hours),
    owedCents: 0,
    refundCents: null,
    newStart: fits[index] ? later(75 + hours) : null,
    fit: fits[index] ?? null,
  })),
  owedCents: 4500,
  currency: "USD",
  zone: "America/Denver",
  digest: "following",
});
const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);
const NEW_START = later(75);
const PREVIEW = `GET /api/bookings/b1/following?startsAt=${encodeURIComponent(NEW_START)}`;

beforeEach(() => {
  responses.set("GET /api/bookings/b1", { body: BOOKING });
  responses.set("GET /api/bookings/series/b1", { body: { id: "b1", bookings: [BOOKING] } });
  responses.set("GET /api/bookings/b1/following", { body: following() });
  responses.set("GET /api/gurus/cooking/services/s1/slots", {
    body: {
      serviceId: "s1",
      zone: "America/Denver",
      durationMinutes: 60,
      from: NEW_START.slice(0, 10),
      days: 62,
      truncated: false,
      starts: [{ startsAt: NEW_START, seats: 1 }],
      full: [],
      next: null,
      nextFull: null,
    },
  });
});

async function open(button: string) {
  renderApp("/sessions/b1", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: button }));
  return user;
}

describe("a session of a series", () => {
  it("is canceled with those after it, at their cost", async () => {
    responses.set("POST /api/bookings/b1/following/cancellation", { body: { ...BOOKING, status: "canceled" } });
    const user = await open("Cancel session");
    const dialog = await screen.findByRole("alertdialog");
    await user.click(await within(dialog).findByLabelText("This and the following sessions (3)"));
    expect(await within(dialog).findByText(/You owe \$45 in total if you cancel now\./)).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Cancel 3 sessions" }));
    expect(await screen.findByText("Your 3 sessions are canceled.")).toBeTruthy();
    expect(bodies("POST /api/bookings/b1/following/cancellation")).toEqual([{ termsDigest: "following", reason: "" }]);
  });

  it("is moved with those that fit, after a look at each date", async () => {
    responses.set(PREVIEW, { body: following(["free", "taken", "free"]) });
    responses.set("POST /api/bookings/b1/following/move", { body: { ...BOOKING, startsAt: NEW_START } });
    const user = await open("Move session");
    const dialog = await screen.findByRole("dialog");
    await user.click(await within(dialog).findByLabelText("This and the following sessions (3)"));
    await user.click(await within(dialog).findByRole("radio", { name: /[AP]M/ }));
    const dates = within(await within(dialog).findByRole("list", { name: "New dates" })).getAllByRole("listitem");
    expect(dates.map((date) => /(Free|Taken)$/.exec(date.textContent)?.[0])).toEqual(["Free", "Taken", "Free"]);
    expect(within(dialog).getByText(/^One session stays at the present time\./)).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Move the 2 that fit" }));
    expect(await screen.findByText("Your 2 sessions are moved.")).toBeTruthy();
    expect(bodies("POST /api/bookings/b1/following/move")).toEqual([
      { startsAt: NEW_START, bookings: ["b1", "b3"], termsDigest: "following" },
    ]);
  });

  it("can be canceled alone when the others didn't load", async () => {
    responses.set("GET /api/bookings/b1/following", {
      status: 503,
      body: { code: "unavailable", message: "Try later." },
    });
    await open("Cancel session");
    const dialog = await screen.findByRole("alertdialog");
    expect(await within(dialog).findByText("We couldn't load the other sessions of the series.")).toBeTruthy();
    expect(within(dialog).getByRole("button", { name: "Cancel session" })).toBeTruthy();
  });

  it("shows all new times that the guru asks for, and accepts them at once", async () => {
    const proposal = { startsAt: NEW_START, answerUntil: later(40), reason: "The studio is closed." };
    const asked = { ...BOOKING, proposal };
    const other = { ...asked, id: "b2", startsAt: later(240), endsAt: later(241) };
    responses.set("GET /api/bookings/b1", { body: asked });
    responses.set("GET /api/bookings/series/b1", { body: { id: "b1", bookings: [asked, other] } });
    responses.set("POST /api/bookings/b1/answers", { body: BOOKING });
    const user = await open("Accept all 2 new times");
    expect(await screen.findByText("Your 2 sessions are moved.")).toBeTruthy();
    expect(user).toBeTruthy();
    expect(bodies("POST /api/bookings/b1/answers")).toEqual([
      { accept: true, startsAt: NEW_START, reason: "", wholeSeries: true },
    ]);
  });
});

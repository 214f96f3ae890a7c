import { expect, it } from "vitest";
import { bookLabel, bookSeriesLabel, placeText, seriesTotal, whenTexts } from "./session-texts";
import type { BookedSession } from "./types";

const SESSION: BookedSession = {
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s-1",
  serviceName: "Knife Skills",
  startsAt: "2027-03-02T16:00:00Z",
  endsAt: "2027-03-02T17:00:00Z",
  zone: "America/Denver",
  party: 1,
  priceCents: 7500,
  currency: "USD",
  approval: "instant",
  place: "guru",
};

it("shows a session in person in the guru's zone first", () => {
  const { first, beside } = whenTexts(SESSION, "America/New_York");
  expect(first).toMatch(/^Tue, Mar 2.*, 9:00 – 10:00 AM MST$/);
  expect(beside).toBe("11:00 AM your time");
  expect(whenTexts(SESSION, "America/Denver").beside).toBe("");
});

it("shows an online session in the viewer's zone first", () => {
  const { first, beside } = whenTexts({ ...SESSION, place: "online" }, "America/New_York");
  expect(first).toMatch(/^Tue, Mar 2.*, 11:00 AM – 12:00 PM EST$/);
  expect(beside).toBe("9:00 AM MST for Chef Guru");
});

it("names price and way of booking on the button", () => {
  expect(bookLabel(SESSION)).toBe("Book for $75 – pay at the session");
  expect(bookLabel({ ...SESSION, priceCents: 0 })).toBe("Book this time");
  expect(bookLabel({ ...SESSION, approval: "request" })).toBe("Ask for this time");
});

it("names number and total of a series", () => {
  expect(bookSeriesLabel(SESSION, 4)).toBe("Book 4 sessions for $300 – pay at each session");
  expect(bookSeriesLabel({ ...SESSION, priceCents: 0 }, 4)).toBe("Book 4 sessions");
  expect(bookSeriesLabel({ ...SESSION, approval: "request" }, 2)).toBe("Ask for 2 sessions");
  expect(seriesTotal(SESSION, 4)).toBe("4 sessions, $300 – pay at each session");
  expect(seriesTotal({ ...SESSION, priceCents: 0 }, 2)).toBe("2 sessions, free");
  expect(seriesTotal(SESSION, 1)).toBe("Only the first session is left.");
});

it("names the place", () => {
  expect(placeText(SESSION)).toBe("At Chef Guru's place");
  expect(placeText({ ...SESSION, place: "agreed" })).toBe("You and Chef Guru agree on a place");
});

import { describe, expect, it } from "vitest";
import {
  bookLabel,
  bookSeriesLabel,
  cancellationTerms,
  endedText,
  missedTerms,
  moveTerms,
  placeLabel,
  priceText,
  seriesTotal,
  sessionTime,
  sessionTimeFrom,
  statusBadge,
} from "./session-texts";
import { formatSession } from "@porchlight/shared/format/session-times";

const DENVER = "America/Denver";
const TIMES = { startsAt: "2026-12-01T16:00:00Z", endsAt: "2026-12-01T17:00:00Z", zone: DENVER, guruName: "Chef Guru" };
const SESSION = {
  ...TIMES,
  guruLabel: "cooking",
  serviceId: "s-1",
  serviceName: "Knife Skills",
  party: 1,
  priceCents: 7500,
  currency: "USD",
  place: "guru",
} as const;
const TERMS = {
  owedCents: 0,
  lateCents: 3750,
  missedCents: 7500,
  freeUntil: "2026-11-30T16:00:00Z",
  movesLeft: 2,
  moveUntil: null,
  digest: "d",
};
const POLICY = {
  policy: "moderate",
  freeUntilMinutes: 1440,
  latePercent: 50,
  missedPercent: 100,
  movesMax: 2,
  moveUntilMinutes: 1440,
} as const;
const PRICE = {
  currency: "USD",
  zone: DENVER,
  status: "confirmed",
  guruName: "Chef Guru",
  policy: POLICY,
  payment: null,
} as const;

describe("the time of a session", () => {
  it("is in the guru's zone first in person", () => {
    const { time, other } = sessionTime({ ...TIMES, place: "guru" }, "America/New_York");
    expect(time).toBe(formatSession(TIMES.startsAt, TIMES.endsAt, DENVER));
    expect(other).toBe("11:00 AM your time");
  });

  it("is in the viewer's zone first online", () => {
    const { time, other } = sessionTime({ ...TIMES, place: "online" }, "Asia/Tokyo");
    expect(time).toBe(formatSession(TIMES.startsAt, TIMES.endsAt, "Asia/Tokyo"));
    expect(other).toMatch(/^Tue, Dec 1(, 2026)?, 9:00 AM MST for Chef Guru$/);
  });

  it("has no second part where the clocks agree", () => {
    expect(sessionTime({ ...TIMES, place: "online" }, DENVER).other).toBe("");
  });

  it("keeps its length at another start", () => {
    const { time } = sessionTimeFrom({ ...TIMES, place: "guru" }, "2026-12-03T20:30:00Z", DENVER);
    expect(time).toBe(formatSession("2026-12-03T20:30:00Z", "2026-12-03T21:30:00Z", DENVER));
  });
});

describe("a session that is not booked yet", () => {
  const OFFER = { ...SESSION, approval: "instant" } as const;

  it("names price and way of booking on the button", () => {
    expect(bookLabel(OFFER)).toBe("Book for $75 – pay at the session");
    expect(bookLabel({ ...OFFER, priceCents: 0 })).toBe("Book this time");
    expect(bookLabel({ ...OFFER, approval: "request" })).toBe("Ask for this time");
  });

  it("names number and total of a series", () => {
    expect(bookSeriesLabel(OFFER, 4)).toBe("Book 4 sessions for $300 – pay at each session");
    expect(bookSeriesLabel({ ...OFFER, priceCents: 0 }, 4)).toBe("Book 4 sessions");
    expect(bookSeriesLabel({ ...OFFER, approval: "request" }, 2)).toBe("Ask for 2 sessions");
    expect(seriesTotal(OFFER, 4)).toBe("4 sessions, $300 – pay at each session");
    expect(seriesTotal({ ...OFFER, priceCents: 0 }, 2)).toBe("2 sessions, free");
    expect(seriesTotal(OFFER, 1)).toBe("Only the first session is left.");
  });

  it("leads to the payment of what no package covers", () => {
    const byCard = { ...OFFER, paysByCard: true };
    expect(bookLabel(byCard)).toBe("Continue to payment – $75.00");
    expect(bookLabel({ ...byCard, approval: "request" })).toBe("Continue to payment – $75.00");
    expect(bookLabel({ ...byCard, priceCents: 0 })).toBe("Book this time");
    expect(bookSeriesLabel(byCard, 4, 1)).toBe("Continue to payment – $225.00");
    expect(seriesTotal(byCard, 4)).toBe("4 sessions, $300.00 – pay by card");
    expect(priceText(byCard)).toBe("$75.00, pay by card");
    expect(priceText(OFFER)).toBe("$75, pay at the session");
  });

  it("names the place", () => {
    expect(placeLabel(SESSION, "")).toBe("At Chef Guru's place");
    expect(placeLabel({ ...SESSION, place: "agreed" }, "")).toBe("You and Chef Guru agree on a place");
  });

  it("does not ask to agree on a place that is known", () => {
    expect(placeLabel({ ...SESSION, place: "agreed" }, "North Boulder Park")).toBe("Where you meet");
  });
});

describe("the terms of a session", () => {
  it("say until when a cancellation is free and what it costs later", () => {
    expect(cancellationTerms({ ...PRICE, terms: TERMS })).toMatch(
      /^Cancel free until Mon, Nov 30(, 2026)?, 9:00 AM MST\. After that, you owe \$37\.50\.$/,
    );
  });

  it("say what a late cancellation costs", () => {
    const terms = { ...TERMS, freeUntil: null, owedCents: 3750 };
    expect(cancellationTerms({ ...PRICE, terms })).toBe("If you cancel now, you owe $37.50.");
  });

  it("say that a cancellation is free", () => {
    expect(cancellationTerms({ ...PRICE, terms: { ...TERMS, lateCents: 0 } })).toBe("Cancel free anytime.");
  });

  it("say what a missed session costs", () => {
    expect(missedTerms({ ...PRICE, terms: TERMS })).toBe("If you don't come, you owe $75.");
    expect(missedTerms({ ...PRICE, terms: { ...TERMS, missedCents: 0 } })).toBe("");
  });

  it("say how often it can be moved", () => {
    expect(moveTerms({ ...PRICE, terms: TERMS })).toBe("You can't move this session anymore.");
    const terms = { ...TERMS, movesLeft: 1, moveUntil: "2026-11-30T16:00:00Z" };
    expect(moveTerms({ ...PRICE, terms })).toMatch(/^You can move it once until Mon, Nov 30/);
  });
});

describe("the status of a session", () => {
  it("is done once a booked session is over", () => {
    const booked = { status: "confirmed", endsAt: TIMES.endsAt } as const;
    expect(statusBadge(booked, Date.parse("2026-12-01T16:30:00Z")).label).toBe("Booked");
    expect(statusBadge(booked, Date.parse("2026-12-01T17:30:00Z")).label).toBe("Done");
  });

  it.each([
    ["canceled", "person", "You canceled this session."],
    ["canceled", "guru", "Chef Guru canceled this session."],
    ["canceled", "staff", "Our team canceled this session."],
    ["declined", "guru", "Chef Guru couldn't take this session."],
    ["confirmed", "", ""],
  ] as const)("%s by %j reads %j", (status, endedBy, text) =>
    expect(endedText({ status, endedBy, guruName: "Chef Guru", payment: null })).toBe(text),
  );
});

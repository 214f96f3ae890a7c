import type { Exchange, ExchangeOffer } from "../lib/types";

/** An exchange that waits for its teacher, who is the reader. */
export const ASKED: Exchange = {
  id: "019aeb3c-1111-7111-8111-111111111111",
  side: "teacher",
  status: "asked",
  skill: "Sourdough baking",
  offerId: "019aeb3c-2222-7222-8222-222222222222",
  neighbor: { name: "Lea Learner", handle: "lea", photoUrl: "", canArrange: true },
  minutes: 60,
  place: "teacher",
  note: "Rye, please",
  reply: "",
  replyBy: "",
  proposals: [
    { startsAt: "2100-01-16T18:00:00Z", endsAt: "2100-01-16T19:00:00Z", overlaps: false },
    { startsAt: "2100-01-17T18:00:00Z", endsAt: "2100-01-17T19:00:00Z", overlaps: true },
  ],
  round: 1,
  canAnswer: true,
  canCounter: true,
  canCancel: false,
  expiresAt: "2100-01-15T18:00:00Z",
  startsAt: null,
  endsAt: null,
  endedBy: "",
  teacherZone: "America/Denver",
  learnerZone: "America/New_York",
  risk: null,
  waiverDue: false,
  waiverUntil: null,
  sequence: 0,
  changedAt: "2100-01-13T16:00:00Z",
};

export const CONFIRMED: Exchange = {
  ...ASKED,
  status: "confirmed",
  canAnswer: false,
  canCounter: false,
  canCancel: true,
  expiresAt: null,
  startsAt: "2100-01-16T18:00:00Z",
  endsAt: "2100-01-16T19:00:00Z",
  sequence: 1,
};

export const OFFER: ExchangeOffer = {
  id: ASKED.offerId,
  title: "Sourdough baking",
  neighbor: { name: "Tom Teacher", handle: "tom", photoUrl: "", canArrange: true },
  formats: ["in_person", "online"],
  teacherZone: "America/Denver",
  risk: "low",
  requiresWaiver: false,
  refusal: null,
};

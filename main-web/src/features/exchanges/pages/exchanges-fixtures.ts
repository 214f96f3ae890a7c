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
  mode: "hours",
  time: {
    state: "",
    minutes: null,
    by: "",
    round: 0,
    settleBy: null,
    canRecord: false,
    canAnswer: false,
    canReverse: false,
    reversalBy: "",
  },
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

/** A session that is over, whose time its teacher, who is the reader, has yet to record. */
export const ENDED: Exchange = {
  ...CONFIRMED,
  status: "completed",
  canCancel: false,
  time: { ...ASKED.time, settleBy: "2100-01-23T19:00:00Z", canRecord: true },
};

/** A session whose time the neighbor recorded. */
export const RECORDED: Exchange = {
  ...ENDED,
  side: "learner",
  time: {
    ...ASKED.time,
    state: "recorded",
    minutes: 90,
    by: "teacher",
    round: 1,
    settleBy: "2100-01-19T19:00:00Z",
    canAnswer: true,
  },
};

export const SETTLED: Exchange = {
  ...RECORDED,
  time: { ...RECORDED.time, state: "settled", settleBy: null, canAnswer: false, canReverse: true },
};

export const OFFER: ExchangeOffer = {
  id: ASKED.offerId,
  title: "Sourdough baking",
  neighbor: { name: "Tom Teacher", handle: "tom", photoUrl: "", canArrange: true },
  formats: ["in_person", "online"],
  teacherZone: "America/Denver",
  risk: "low",
  requiresWaiver: false,
  modes: ["hours", "swap"],
  hours: { balance: 270, reserved: 0, floor: -600 },
  refusal: null,
};

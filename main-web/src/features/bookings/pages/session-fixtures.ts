import { GURU } from "./book-page-fixtures";

const HOUR = 3_600_000;

/** An instant that is some full hours from now. */
export const later = (hours: number) => new Date(Math.ceil(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();

export const TERMS = { owedCents: 0, freeUntil: later(48), movesLeft: 2, moveUntil: later(48), digest: "first" };
const BOOKING = {
  guru: GURU,
  id: "b1",
  seriesId: null,
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s1",
  serviceName: "Knife skills",
  startsAt: later(72),
  endsAt: later(73),
  zone: "America/Denver",
  party: 1,
  priceCents: 7500,
  currency: "USD",
  approval: "instant",
  place: "guru",
  placeText: "12 Elm Street",
  address: "",
  policy: {
    policy: "moderate",
    freeUntilMinutes: 1440,
    latePercent: 50,
    missedPercent: 100,
    movesMax: 2,
    moveUntilMinutes: 1440,
  },
  policyDigest: "p",
  status: "confirmed",
  waiverLevel: "",
  waiverId: null,
  waiverUntil: null,
  waiverDue: false,
  people: [],
  participants: [],
  note: "",
  questions: [],
  answers: [],
  expiresAt: null,
  endedBy: "",
  reason: "",
  owedCents: 0,
  package: null,
  usesUpPackage: false,
  proposal: null,
  payment: null,
  checkedInAt: null,
  terms: TERMS,
};

/** A confirmed session in three days. */
export const bookingOf = (changes: object = {}) => ({ ...BOOKING, ...changes });

/** A payment by card that arrived. */
export const PAID = {
  id: "p1",
  mode: "full",
  state: "paid",
  amountCents: 7500,
  restCents: 0,
  chargeCents: 0,
  totalCents: 7500,
  refundedCents: 0,
  disputed: false,
  bankReturnedCents: 0,
  refundCents: 7500,
  url: "",
  expiresAt: later(1),
  secondsLeft: 0,
  card: "Visa ending in 4242",
  paidAt: later(-1),
  isLate: false,
} as const;

/** A card that is kept for a session of $65, of which half is owed for canceling late. */
export const KEPT = {
  ...PAID,
  mode: "hold",
  state: "kept",
  amountCents: 6500,
  totalCents: 6500,
  restCents: 6500,
  chargeCents: 3250,
  refundCents: 0,
  paidAt: null,
} as const;

/** A payment whose page is open. */
export const TO_PAY = {
  ...PAID,
  state: "open",
  url: "https://pay.example/1",
  secondsLeft: 2100,
  card: "",
  paidAt: null,
  refundCents: 0,
} as const;

/** A session that waits for its payment. */
export const heldOf = (payment: object = {}, changes: object = {}) =>
  bookingOf({ status: "held", expiresAt: later(1), placeText: "", payment: { ...TO_PAY, ...payment }, ...changes });

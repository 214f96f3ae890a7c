import type { GuruCardData } from "@/components/guru-face";
import type { Hold, OwnBooking } from "../lib/types";

export const TOKEN = "A".repeat(43);
const START = "2027-03-02T16:00:00Z";
export const GURU: GuruCardData = {
  subdomain: "cooking",
  name: "Chef Guru",
  url: "http://cooking.porchlight.localhost",
  photoUrl: null,
  icon: "utensils",
  colors: { accent: "#ff9d7a", tileStart: "#ff8a5c", tileEnd: "#f3a712", onTile: "#1a0d08" },
};
export const HOLD: Hold = {
  guru: GURU,
  token: TOKEN,
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s-1",
  serviceName: "Knife Skills",
  startsAt: START,
  endsAt: "2027-03-02T17:00:00Z",
  zone: "America/Denver",
  party: 2,
  priceCents: 15000,
  currency: "USD",
  approval: "instant",
  place: "guru",
  bring: "",
  policy: {
    policy: "flexible",
    freeUntilMinutes: 1440,
    latePercent: 0,
    missedPercent: 50,
    movesMax: 2,
    moveUntilMinutes: 1440,
  },
  policyDigest: "digest-1",
  waiver: {
    required: false,
    signed: false,
    level: "low",
    reasons: [],
    category: "culinary",
    validUntil: null,
    outdated: false,
    minors: [],
  },
  status: "held",
  expiresAt: "2027-03-01T12:10:00Z",
  secondsLeft: 600,
  isOffer: false,
  package: null,
};
export const BOOKING: OwnBooking = {
  ...HOLD,
  id: "b-1",
  seriesId: null,
  status: "confirmed",
  placeText: "12 Elm Street",
  address: "",
  waiverLevel: "",
  waiverId: null,
  waiverUntil: null,
  waiverDue: false,
  people: [],
  participants: [],
  note: "",
  expiresAt: null,
  endedBy: "",
  reason: "",
  owedCents: 0,
  package: null,
  usesUpPackage: false,
  proposal: null,
  checkedInAt: null,
  terms: { owedCents: 0, lateCents: 0, missedCents: 7500, freeUntil: null, movesLeft: 2, moveUntil: null, digest: "d" },
};

/** The free times of the service when it has none. */
export const NO_TIMES = {
  zone: HOLD.zone,
  firstDay: "2027-03-01",
  lastDay: "2027-04-30",
  days: 31,
  starts: [],
  full: [],
};

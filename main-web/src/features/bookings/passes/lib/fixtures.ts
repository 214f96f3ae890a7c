import type { Pass, Roster, RosterPerson, RosterSession } from "./types";

const HOUR = 3_600_000;
const at = (hours: number) => `${new Date(Date.now() + hours * HOUR).toISOString().slice(0, 19)}Z`;

/** A pass of March 10, 2027, signed with the key of the server's tests. */
export const SIGNED = {
  text: "AQGSbUwAAHAAgAAAAAAAAAoBkm1MAABwAIAAAAAAAAD_a5GPoABaAAMMR443WQMwAxyt1C7KkcV4kYF9dFvr39yCx4mEXu_xEataKi1l2YBsNtUs8B9YPMA8KvZD-ftMllLKtM6lwTQC",
  code: "PJ11BJK8",
  key: "6uKUet6QIGp2BO-I4aU70U35RbNz_xiseh99LMnBq0Q",
  bookingId: "01926d4c-0000-7000-8000-00000000000a",
  tenantId: "01926d4c-0000-7000-8000-0000000000ff",
  startsAt: "2027-03-10T18:00:00.000Z",
};

/** The pass of a session in an hour. */
export const passOf = (changes: Partial<Pass> = {}): Pass => ({
  bookingId: "b1",
  text: SIGNED.text,
  code: SIGNED.code,
  serviceName: "Knife skills",
  guruName: "Chef Guru",
  startsAt: at(1),
  endsAt: at(2),
  zone: "America/Denver",
  place: "guru",
  placeText: "12 Elm Street",
  personName: "Ada Lovelace",
  participants: [],
  party: 1,
  checkedInAt: null,
  ...changes,
});

export const personOf = (changes: Partial<RosterPerson> = {}): RosterPerson => ({
  bookingId: "b1",
  status: "confirmed",
  name: "Nora Newcomer",
  participants: [],
  party: 1,
  sequence: 0,
  code: "KX4P7M2Q",
  waiverDue: false,
  checkedInAt: null,
  checkedInBy: "",
  ...changes,
});

/** A session in an hour, whose people can be checked in. */
export const sessionOf = (people: RosterPerson[], changes: Partial<RosterSession> = {}): RosterSession => ({
  id: "a1",
  serviceName: "Group Workshop",
  startsAt: at(1),
  endsAt: at(2),
  zone: "America/Denver",
  opensAt: at(-5),
  passesUntil: at(12),
  closesAt: at(50),
  people,
  ...changes,
});

export const rosterOf = (...sessions: RosterSession[]): Roster => ({
  tenantId: SIGNED.tenantId,
  asOf: at(0),
  keys: [SIGNED.key],
  sessions,
  more: false,
});

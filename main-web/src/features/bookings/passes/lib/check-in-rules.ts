import type { Roster, RosterPerson, RosterSession } from "./types";
import type { ReadPass } from "./signed-pass";
import { formatClock, formatSessionStart } from "@porchlight/shared/format/session-times";

export type Found = { person: RosterPerson; session: RosterSession };
/** What a device says to a pass, a code or a name, before it tells the server. */
export type Verdict =
  | { kind: "good"; found: Found }
  | { kind: "waiver"; found: Found }
  | { kind: "already"; found: Found; text: string }
  | { kind: "refused"; text: string };

const refused = (text: string): Verdict => ({ kind: "refused", text });

/** The name of someone on the roster. It is erased when they delete their account. */
export const nameOf = (person: Pick<RosterPerson, "name">) => person.name || "Former neighbor";

/** Say when and where someone was checked in. */
export function checkedInText({ person, session }: Found): string {
  if (person.checkedInAt === null) return "";
  return `Already checked in at ${formatClock(person.checkedInAt, session.zone)} by ${person.checkedInBy}.`;
}

/** Find a booking on a roster. */
export function findBooking(roster: Roster, bookingId: string): Found | null {
  for (const session of roster.sessions) {
    const person = session.people.find((one) => one.bookingId === bookingId);
    if (person) return { person, session };
  }
  return null;
}

/** Find who has a code, or null. */
export function findCode(roster: Roster, code: string): Found | null {
  for (const session of roster.sessions) {
    const person = session.people.find((one) => one.code === code);
    if (person) return { person, session };
  }
  return null;
}

/**
 * Decide on someone whose name or code the guru found, at a time in milliseconds. The server decides the same
 * (`passes/lifecycle.py`).
 */
export function judgePerson(found: Found, now: number): Verdict {
  const { person, session } = found;
  if (person.status === "missed") {
    return refused(`You marked ${nameOf(person)} as missed. Undo that in your calendar first.`);
  }
  if (person.checkedInAt !== null) return { kind: "already", found, text: checkedInText(found) };
  if (now < Date.parse(session.opensAt)) {
    return refused(`Check-in for this session opens on ${formatSessionStart(session.opensAt, session.zone)}.`);
  }
  if (now >= Date.parse(session.closesAt))
    return refused("You can check people in until 48 hours after their session.");
  return person.waiverDue ? { kind: "waiver", found } : { kind: "good", found };
}

type PassContext = { roster: Roster; now: number; /** When the list was loaded, as a time of day. */ listTime: string };

/** Decide on a QR code that someone shows; `pass` is null if it is not a pass. */
export function judgePass(pass: ReadPass | null, { roster, now, listTime }: PassContext): Verdict {
  if (pass === null) return refused("This isn't a Porchlight pass. Ask to see the pass in their session.");
  const found = findBooking(roster, pass.bookingId);
  // Only who signed the pass knows its code, so a pass with the code of the list needs no other proof.
  if (found?.person.code === pass.code) {
    const verdict = judgePerson(found, now);
    const isOver = now >= Date.parse(found.session.passesUntil);
    const isEarly = now < Date.parse(found.session.opensAt);
    if (verdict.kind !== "already" && (isOver || isEarly)) return ofAnotherDay(pass, found.session.zone);
    return verdict;
  }
  if (pass.isSigned === false) return refused("This pass is forged. Ask for the one in their session.");
  if (pass.tenantId !== roster.tenantId) return refused("This pass is for another guru's session.");
  if (found) {
    if (Math.abs(Date.parse(pass.startsAt) - now) > 86_400_000) return ofAnotherDay(pass, found.session.zone);
    const name = nameOf(found.person);
    return refused(`${name}'s session changed after this pass was made. Ask to open it again, or tap the name.`);
  }
  const [first] = roster.sessions;
  const isNear = Math.abs(Date.parse(pass.startsAt) - now) < 86_400_000;
  if (!isNear) return ofAnotherDay(pass, first?.zone ?? "");
  return refused(`This pass isn't on your list from ${listTime}. Their session was canceled, moved or just booked.`);
}

function ofAnotherDay({ startsAt }: ReadPass, zone: string): Verdict {
  return refused(`This pass is for ${formatSessionStart(startsAt, zone)}.`);
}

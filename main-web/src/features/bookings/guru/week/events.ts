import { personName } from "@/lib/person-name";
import type { GuruSession, GuruWeek } from "../lib/types";
import { clipTimes, MINUTE_MS, withoutTimes, type Span } from "./layout";
import { formatClock } from "@porchlight/shared/format/session-times";

/** Something in the guru's week. `busy` is of a connected calendar. `title` is its first line, `notes` are the ones below. */
export type CalendarEvent = Span & {
  id: string;
  kind: GuruSession["kind"] | "busy";
  title: string;
  notes: string[];
  /** With setup and cleanup. */
  blocked: Span;
  session: GuruSession | null;
};

const span = (startsAt: string, endsAt: string): Span => ({ from: Date.parse(startsAt), until: Date.parse(endsAt) });

/** Return the bookings of a session that people made. A hold has no name yet. */
export const sentBookings = ({ bookings }: GuruSession) => bookings.filter(({ status }) => status !== "held");

/** Return what is in a week, in order. */
export function weekEvents({ sessions, busy }: GuruWeek): CalendarEvent[] {
  const events: CalendarEvent[] = sessions.map((session) => ({
    ...span(session.startsAt, session.endsAt),
    ...describe(session),
    id: session.id,
    kind: session.kind,
    blocked: span(session.blockedFrom, session.blockedUntil),
    session,
  }));
  for (const { calendar, startsAt, endsAt } of busy) {
    const time = span(startsAt, endsAt);
    const id = `${calendar} ${startsAt} ${endsAt}`;
    events.push({ ...time, id, kind: "busy", title: calendar, notes: ["Busy"], blocked: time, session: null });
  }
  return events.toSorted((one, other) => one.from - other.from);
}

function describe(session: GuruSession): Pick<CalendarEvent, "title" | "notes"> {
  if (session.kind === "block") return { title: "Blocked", notes: [] };
  if (session.kind === "exchange") return { title: "Session with a neighbor", notes: [] };
  const people = sentBookings(session);
  const notes = [
    people.some(({ status }) => status === "requested") ? "request" : "",
    people.some(({ proposal }) => proposal) ? "new time proposed" : "",
    people.some(({ waiverDue }) => waiverDue) ? "waiver due" : "",
    session.waiting > 0 ? `${session.waiting} waiting` : "",
  ].filter((note) => note !== "");
  if (session.fixed || session.capacity > 1) {
    return { title: session.serviceName, notes: [`${session.taken} of ${session.capacity} spots`, ...notes] };
  }
  const [person] = people;
  if (person) return { title: personName(person), notes: [session.serviceName, ...notes] };
  return { title: session.serviceName, notes: session.taken > 0 ? ["on hold", ...notes] : notes };
}

/** Format an instant in milliseconds as ISO 8601. */
export const isoOf = (at: number) => new Date(at).toISOString();

/** Format times of one day as "9:00 – 10:00 AM". */
export function formatClocks({ from, until }: Span, zone: string): string {
  const [start, end] = [formatClock(isoOf(from), zone), formatClock(isoOf(until), zone)];
  return `${start.slice(-2) === end.slice(-2) && until - from < 720 * MINUTE_MS ? start.slice(0, -3) : start} – ${end}`;
}

/** Return the guru's hours that are free, from now on and while bookings are not paused. */
export function freeTimes({ hours, pausedUntil }: GuruWeek, events: readonly CalendarEvent[], now: number): Span[] {
  const from = Math.max(now, pausedUntil === null ? 0 : Date.parse(pausedUntil));
  const open = hours.map(({ startsAt, endsAt }) => span(startsAt, endsAt));
  const taken = events.map(({ blocked }) => blocked);
  return withoutTimes(clipTimes(open, { from, until: Number.POSITIVE_INFINITY }), taken);
}

/** Return the times that decide which hours of the week are shown. */
export function shownTimes({ hours, sessions }: GuruWeek): Span[] {
  const open = hours.map(({ startsAt, endsAt }) => span(startsAt, endsAt));
  const held = sessions.filter(({ kind }) => kind !== "block").map(({ startsAt, endsAt }) => span(startsAt, endsAt));
  return [...open, ...held];
}

/** Why the guru can't ask anybody to move a session; "" if they can. */
export function moveRefusal(session: GuruSession): string {
  const people = sentBookings(session);
  const [first] = people;
  if (!first) {
    return session.fixed
      ? "This session has no bookings. Remove it and add another one in the service's booking settings."
      : "This session has no bookings yet.";
  }
  if (people.some(({ canPropose }) => canPropose)) return "";
  const name = personName(first);
  if (first.proposal) return `${name} hasn't answered your last proposal. Withdraw it to propose another time.`;
  if (first.status === "requested") return "Answer the request first.";
  if (first.isCustomer) {
    return `${name} has no account. Ask them to move it with the link in their email, or cancel it and book the new time.`;
  }
  if (first.status !== "confirmed" || Date.parse(session.endsAt) <= Date.now()) return "This session is over.";
  return `There's no time left to ask ${name}, or you've asked too often. You can still cancel it.`;
}

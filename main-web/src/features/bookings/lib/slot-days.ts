import { monthOf, weekOf } from "@porchlight/shared/format/calendar-days";
import { localDay } from "@porchlight/shared/format/session-times";

/** The session that gets another time. */
export type MovedSession = { startsAt: string; zone: string; party: number };
export type SlotDay = { date: string; starts: string[] };

/** Group free starts by the guru's local day, without the present start of the session and starts with too few spots. */
export function daysOfSlots(
  slots: readonly { startsAt: string; seats: number }[],
  { startsAt, zone, party }: MovedSession,
): SlotDay[] {
  const days = new Map<string, string[]>();
  for (const slot of slots) {
    if (Date.parse(slot.startsAt) === Date.parse(startsAt) || slot.seats < party) continue;
    const date = localDay(slot.startsAt, zone);
    days.set(date, [...(days.get(date) ?? []), slot.startsAt]);
  }
  return [...days].map(([date, starts]) => ({ date, starts }));
}

/**
 * The first day from `from` on in its week, else the last one before in that week, else the next one, else the first one
 * in the month of `shown`; undefined without one.
 */
export function firstDayFrom(days: readonly SlotDay[], from: string, shown: string): SlotDay | undefined {
  const week = days.filter(({ date }) => weekOf(from).includes(date));
  const near = week.find(({ date }) => date >= from) ?? week.at(-1);
  return near ?? days.find(({ date }) => date >= from) ?? days.find(({ date }) => monthOf(date) === monthOf(shown));
}

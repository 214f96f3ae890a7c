import { localDay } from "@porchlight/shared/format/session-times";

import { monthOf, weekOf } from "@porchlight/shared/format/calendar-days";
import type { FreeStart, FreeTimes } from "../../../lib/types";

/** The chosen day, or while none is chosen the range of days of which the first with times counts. */
export interface DayChoice {
  /** The day in the tab order, whose month is shown. */
  shown: string;
  day: string | null;
  range: "month" | "week";
}

/** The free starts and the full sessions by local day, in order. A full session has no seats. */
export function startsByDay({ starts, full, zone }: Pick<FreeTimes, "starts" | "full" | "zone">) {
  const days = new Map<string, FreeStart[]>();
  const all = [...starts, ...full.map((startsAt) => ({ startsAt, seats: 0 }))];
  for (const start of all.sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt))) {
    const day = localDay(start.startsAt, zone);
    const found = days.get(day);
    if (found === undefined) days.set(day, [start]);
    else found.push(start);
  }
  return days;
}

/** The first day with free times in the month of today, or null. */
export function firstFreeDay(times: Pick<FreeTimes, "starts" | "full" | "zone" | "today">): string | null {
  return chosenDay({ shown: times.today, day: null, range: "month" }, startsByDay(times));
}

/** How many of a day's starts are free. */
export const countFree = (starts: readonly FreeStart[]) => starts.filter(({ seats }) => seats > 0).length;

/** The day whose times are listed: the first with free ones, else the first with a full session. Null without both. */
export function chosenDay(
  { shown, day, range }: DayChoice,
  starts: ReadonlyMap<string, readonly FreeStart[]>,
): string | null {
  if (day !== null) return day;
  const isInRange =
    range === "week" ? (one: string) => weekOf(shown).includes(one) : (one: string) => monthOf(one) === monthOf(shown);
  const days = [...starts.keys()].filter(isInRange);
  return days.find((one) => countFree(starts.get(one) ?? []) > 0) ?? days[0] ?? null;
}

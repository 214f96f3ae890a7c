import { localDay } from "@porchlight/shared/format/session-times";

import type { FreeStart } from "../../../lib/types";
import { monthOf, weekOf } from "./calendar-days";

/** The chosen day, or while none is chosen the range of days of which the first with times counts. */
export interface DayChoice {
  /** The day in the tab order, whose month is shown. */
  shown: string;
  day: string | null;
  range: "month" | "week";
}

/** The free starts by local day. */
export function startsByDay(starts: readonly FreeStart[], zone: string): Map<string, FreeStart[]> {
  const days = new Map<string, FreeStart[]>();
  for (const start of starts) {
    const day = localDay(start.startsAt, zone);
    const found = days.get(day);
    if (found === undefined) days.set(day, [start]);
    else found.push(start);
  }
  return days;
}

/** The day whose times are listed, or null when the range has none. */
export function chosenDay({ shown, day, range }: DayChoice, starts: ReadonlyMap<string, unknown>): string | null {
  if (day !== null) return day;
  const isInRange =
    range === "week" ? (one: string) => weekOf(shown).includes(one) : (one: string) => monthOf(one) === monthOf(shown);
  return [...starts.keys()].find(isInRange) ?? null;
}

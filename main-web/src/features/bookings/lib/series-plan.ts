import type { Hold } from "./types";
import { DAY_MS } from "./waiver-days";
import { formatClock, localDay } from "@porchlight/shared/format/session-times";

export const MAX_SESSIONS = 12;
const DAYS_PER_WEEK = 7;

/** How a session is repeated. `choices` has the chosen start by local day, "" for a day that is left out. */
export type Repeat = { weeks: 0 | 1 | 2; sessions: number; choices: Record<string, string> };

export const NO_REPEAT: Repeat = { weeks: 0, sessions: 4, choices: {} };

/** "free": the usual time is free. "taken": it is not. "later": not open for booking yet. "waiver": after the waiver. */
export type DayState = "free" | "taken" | "later" | "waiver";

/** A further session. `starts` are the day's free times, `start` the one to book, "" for none. */
export type PlannedSession = { day: string; state: DayState; starts: string[]; start: string };

type FreeTimes = { lastDay: string; starts: readonly { startsAt: string; seats: number }[] };
type PlanOptions = {
  /** Starts that the server refused. */
  gone?: ReadonlySet<string>;
  /** The first instant after the waiver, in milliseconds. */
  waiverEnd?: number;
};

/** Return the local days of the further sessions. Days are calendar days, so a change of the clock moves none. */
export function repeatedDays({ startsAt, zone }: Pick<Hold, "startsAt" | "zone">, { weeks, sessions }: Repeat) {
  if (weeks === 0) return [];
  const first = Date.parse(localDay(startsAt, zone));
  return Array.from({ length: sessions - 1 }, (_, index) =>
    new Date(first + (index + 1) * weeks * DAYS_PER_WEEK * DAY_MS).toISOString().slice(0, 10),
  );
}

/**
 * Plan the further sessions: on each day at the guru's same wall time as the first, or at the chosen time. A time is
 * compared as the clock shows it, so the sessions keep it when the clocks change.
 */
export function planSeries(
  hold: Pick<Hold, "startsAt" | "zone" | "party">,
  repeat: Repeat,
  times: FreeTimes,
  { gone = new Set(), waiverEnd = Infinity }: PlanOptions = {},
): PlannedSession[] {
  const { startsAt, zone, party } = hold;
  const clock = formatClock(startsAt, zone);
  return repeatedDays(hold, repeat).map((day) => {
    const free = times.starts
      .filter((slot) => slot.seats >= party && !gone.has(slot.startsAt) && localDay(slot.startsAt, zone) === day)
      .map((slot) => slot.startsAt);
    const starts = free.filter((start) => Date.parse(start) < waiverEnd);
    const usual = starts.find((start) => formatClock(start, zone) === clock) ?? "";
    const choice = repeat.choices[day];
    const start = choice === undefined ? usual : starts.includes(choice) ? choice : "";
    return { day, starts, start, state: dayState(day) };

    function dayState(date: string): DayState {
      if (usual !== "") return "free";
      if (date > times.lastDay) return "later";
      return free.length > starts.length ? "waiver" : "taken";
    }
  });
}

/** Tell whether a stored value is a repeat. */
export function isRepeat(value: unknown): value is Repeat {
  if (typeof value !== "object" || value === null) return false;
  const { weeks, sessions, choices } = value as Partial<Repeat>;
  return (
    (weeks === 0 || weeks === 1 || weeks === 2) &&
    typeof sessions === "number" &&
    sessions >= 2 &&
    sessions <= MAX_SESSIONS &&
    typeof choices === "object" &&
    Object.values(choices).every((choice) => typeof choice === "string")
  );
}

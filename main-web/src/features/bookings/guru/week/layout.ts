import { addDays, instantOf, wallTimeOf } from "@/lib/wall-time";

/** A time in milliseconds since 1970; `until` is not included. */
export type Span = { from: number; until: number };

/** The hours of a day that are shown, by the wall clock: from 0 to 24. */
export type HourRange = { first: number; last: number };

/** The shown part of a local day. `hours` are its whole hours, in order; a change of the clocks skips or repeats one. */
export type DayAxis = Span & { day: string; hours: { at: number; hour: number }[]; hasChange: boolean };

/** Where something is in its day: minutes from the top of the axis, and its lane beside what overlaps it. */
export type Placed<T> = {
  event: T;
  top: number;
  height: number;
  lane: number;
  lanes: number;
};

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_RANGE: HourRange = { first: 8, last: 18 };
const LEAST_HOURS = 8;

/** Return the instant of a whole hour of a day, 0 to 24. One that the clocks skip is the moment of the change. */
function hourInstant(day: string, hour: number, zone: string): number {
  if (hour >= 24) return hourInstant(addDays(day, 1), 0, zone);
  const found = instantOf(day, `${String(hour).padStart(2, "0")}:00`, zone);
  return found === null ? hourInstant(day, hour + 1, zone) : Date.parse(found);
}

/** Return the shown part of a day: 23 or 25 hours long where the clocks change, with the instants of its hours. */
export function dayAxis(day: string, zone: string, { first, last }: HourRange): DayAxis {
  const from = hourInstant(day, first, zone);
  const until = hourInstant(day, last, zone);
  const hours: DayAxis["hours"] = [];
  // In steps of 15 minutes, because some zones are a part of an hour apart from others, and one changes by half an hour.
  for (let at = from; at < until; at += 15 * MINUTE_MS) {
    const { time } = wallTimeOf(new Date(at).toISOString(), zone);
    if (time.endsWith(":00")) hours.push({ at, hour: Number(time.slice(0, 2)) });
  }
  return { day, from, until, hours, hasChange: until - from !== (last - first) * HOUR_MS };
}

/** Return the length of an axis in minutes. */
export const axisMinutes = ({ from, until }: Span) => (until - from) / MINUTE_MS;

/**
 * Return the whole hours to show of some days: from an hour before the earliest of the times to an hour after the
 * latest, at least eight. A time that passes midnight needs all hours of the day.
 */
export function hourRange(times: readonly Span[], zone: string): HourRange {
  let { first, last } = times.length > 0 ? { first: 24, last: 0 } : DEFAULT_RANGE;
  for (const { from, until } of times) {
    const start = wallTimeOf(new Date(from).toISOString(), zone);
    const end = wallTimeOf(new Date(until).toISOString(), zone);
    const endsAtMidnight = end.time === "00:00" && end.day === addDays(start.day, 1);
    if (start.day !== end.day && !endsAtMidnight) return { first: 0, last: 24 };
    first = Math.min(first, Number(start.time.slice(0, 2)));
    last = Math.max(
      last,
      endsAtMidnight ? 24 : Math.ceil(Number(end.time.slice(0, 2)) + Number(end.time.slice(3)) / 60),
    );
  }
  first = Math.max(0, first - 1);
  last = Math.min(24, last + 1);
  if (last - first < LEAST_HOURS) last = Math.min(24, first + LEAST_HOURS);
  return { first: Math.min(first, last - LEAST_HOURS), last };
}

/**
 * Place what is on a day: inside its axis, as high as it is long, and in lanes where times overlap. Those that
 * overlap, also through others, have the same number of lanes.
 */
export function placeEvents<T extends Span>(events: readonly T[], axis: Span): Placed<T>[] {
  const shown = events
    .filter(({ from, until }) => from < axis.until && until > axis.from)
    .toSorted((one, other) => one.from - other.from || other.until - one.until);
  const placed: Placed<T>[] = [];
  let group: Placed<T>[] = [];
  let ends: number[] = [];
  for (const event of shown) {
    if (ends.every((end) => end <= event.from)) {
      group = [];
      ends = [];
    }
    const free = ends.findIndex((end) => end <= event.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = event.until;
    const from = Math.max(event.from, axis.from);
    const until = Math.min(event.until, axis.until);
    const top = axisMinutes({ from: axis.from, until: from });
    const one = { event, top, height: axisMinutes({ from, until }), lane, lanes: 0 };
    group.push(one);
    placed.push(one);
    for (const member of group) member.lanes = ends.length;
  }
  return placed;
}

/** Return what is left of times without others, in order. */
export function withoutTimes(times: readonly Span[], taken: readonly Span[]): Span[] {
  const sorted = taken.toSorted((one, other) => one.from - other.from);
  return times
    .flatMap(({ from, until }) => {
      const left: Span[] = [];
      let at = from;
      for (const one of sorted) {
        if (one.until <= at || one.from >= until) continue;
        if (one.from > at) left.push({ from: at, until: one.from });
        at = one.until;
      }
      if (at < until) left.push({ from: at, until });
      return left;
    })
    .toSorted((one, other) => one.from - other.from);
}

/** Return the part of times within another one. */
export function clipTimes(times: readonly Span[], { from, until }: Span): Span[] {
  return times
    .map((time) => ({ from: Math.max(time.from, from), until: Math.min(time.until, until) }))
    .filter((time) => time.from < time.until);
}

/** Return the nearest of the allowed starts within 20 minutes, or else the nearest quarter of an hour. */
export function snapStart(wanted: number, allowed: readonly number[]): number {
  const nearest = allowed.reduce(
    (best, start) => (Math.abs(start - wanted) < Math.abs(best - wanted) ? start : best),
    Number.POSITIVE_INFINITY,
  );
  if (Math.abs(nearest - wanted) <= 20 * MINUTE_MS) return nearest;
  return Math.round(wanted / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
}

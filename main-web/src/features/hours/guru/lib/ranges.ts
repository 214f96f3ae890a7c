import { wallTimeOf } from "@/lib/wall-time";
import type { HoursRange } from "./types";
import { formatMinute } from "@porchlight/shared/format/session-times";

export const MINUTES_PER_DAY = 1440;
export const MAX_RANGES = 8;

/** Hours as typed, "09:00". An end of "00:00" is midnight, the end of the day. */
export type TypedRange = { start: string; end: string };

export const PROPOSED_RANGE: TypedRange = { start: "09:00", end: "17:00" };

const pad = (number: number) => String(number).padStart(2, "0");

/** Format minutes after midnight as the value of a time input: 540 as "09:00", 1440 as "00:00". */
export const timeValue = (minutes: number) => `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;

/** Parse the value of a time input; null for an incomplete one. */
export function minutesOf(time: string): number | null {
  const match = /^(\d{2}):(\d{2})$/.exec(time);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

export const typedRanges = (ranges: readonly HoursRange[]): TypedRange[] =>
  ranges.map(({ start, end }) => ({ start: timeValue(start), end: timeValue(end) }));

/** Parse typed hours, in order; null while a time is missing. */
export function parseRanges(ranges: readonly TypedRange[]): HoursRange[] | null {
  const parsed = ranges.map(({ start, end }) => ({ start: minutesOf(start), end: endMinutes(end) }));
  return parsed.every((range): range is HoursRange => range.start !== null && range.end !== null)
    ? parsed.sort((a, b) => a.start - b.start)
    : null;
}

const endMinutes = (end: string) => (end === "00:00" ? MINUTES_PER_DAY : minutesOf(end));

/** Return why the hours of a day are not valid, or "". */
export function rangesError(ranges: readonly TypedRange[]): string {
  const parsed = parseRanges(ranges);
  if (!parsed) return "Enter a start and an end.";
  if (parsed.some(({ start, end }) => end <= start)) return "The end must be after the start.";
  if (parsed.some(({ start }, at) => at > 0 && start < (parsed[at - 1]?.end ?? 0))) return "These hours overlap.";
  return "";
}

/** Tell whether a session lies within the hours of its day. */
export function isWithin(
  ranges: readonly HoursRange[],
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  zone: string,
): boolean {
  const start = minutesOf(wallTimeOf(startsAt, zone).time) ?? 0;
  const end = start + (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000;
  return ranges.some((range) => range.start <= start && end <= range.end);
}

/** Return hours to add after the others of a day: an hour later, for up to two hours. */
export function nextRange(ranges: readonly TypedRange[]): TypedRange {
  const ends = (parseRanges(ranges) ?? []).map(({ end }) => end);
  if (ends.length === 0) return PROPOSED_RANGE;
  const start = Math.min(Math.max(...ends) + 60, MINUTES_PER_DAY - 60);
  return { start: timeValue(start), end: timeValue(Math.min(start + 120, MINUTES_PER_DAY)) };
}

/** Format hours as "9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM"; "Closed" without any. */
export const formatRanges = (ranges: readonly HoursRange[]) =>
  ranges.map(({ start, end }) => `${formatMinute(start)} – ${formatMinute(end)}`).join(", ") || "Closed";

import { formatLength, withCurrent } from "@/lib/lengths";
import { offeredZones } from "@porchlight/shared/format/zones";
import { pluralize } from "@porchlight/shared/format/numbers";

export const STEP_MINUTES = [5, 10, 15, 20, 30, 60] as const;
export type StepMinutes = (typeof STEP_MINUTES)[number];

const NOTICE_MINUTES = [0, 60, 120, 240, 720, 1440, 2880, 4320, 10_080];
const HORIZON_DAYS = [7, 14, 30, 60, 90, 180, 365];
const COMMON_ZONES = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
];

/** The choices of notice, with the current one. */
export const noticeChoices = (current: number) =>
  withCurrent(NOTICE_MINUTES, current).map((minutes) => ({
    value: minutes,
    label: minutes === 0 ? "No notice" : formatLength(minutes),
  }));

/** The choices of how far ahead neighbors can book, with the current one. */
export const horizonChoices = (current: number) =>
  withCurrent(HORIZON_DAYS, current).map((days) => ({ value: days, label: pluralize(days, "day") }));

/** The IANA zones in two groups: the usual ones, and all others; with the current one. */
export function zoneGroups(current: string): { label: string; zones: string[] }[] {
  const others = new Set([...offeredZones(), current]);
  for (const zone of COMMON_ZONES) others.delete(zone);
  return [
    { label: "United States", zones: COMMON_ZONES },
    { label: "All time zones", zones: [...others].sort() },
  ];
}

/** Format a zone as "America/New York". */
export const zoneLabel = (zone: string) => zone.replaceAll("_", " ");

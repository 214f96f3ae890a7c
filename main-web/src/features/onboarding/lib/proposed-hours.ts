import type { ProposedHours } from "./types";
import { formatList } from "@porchlight/shared/format/numbers";
import { formatMinute } from "@porchlight/shared/format/session-times";

const WORKDAYS = [0, 1, 2, 3, 4];
const MONDAY = Date.UTC(2024, 0, 1);
const MS_PER_DAY = 86_400_000;
const REGIONS: Record<string, string> = {
  "America/New_York": "Eastern Time",
  "America/Chicago": "Central Time",
  "America/Denver": "Mountain Time",
  "America/Los_Angeles": "Pacific Time",
  "America/Anchorage": "Alaska Time",
  "Pacific/Honolulu": "Hawaii Time",
};

/** Format as "on weekdays from 9 AM to 5 PM (Mountain Time)". */
export function formatProposedHours({ zone, weekdays, start, end }: ProposedHours): string {
  const isWorkdays = weekdays.length === WORKDAYS.length && WORKDAYS.every((day) => weekdays.includes(day));
  const days = isWorkdays ? "weekdays" : formatList(weekdays.map(weekdayName));
  return `on ${days} from ${clock(start)} to ${clock(end)} (${zoneText(zone)})`;
}

const clock = (minutes: number) => formatMinute(minutes).replace(":00", "");

/** "Mondays" for 0. */
const weekdayName = (weekday: number) =>
  `${new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" }).format(MONDAY + weekday * MS_PER_DAY)}s`;

/** "Mountain Time" for "America/Denver", "Tokyo time" for "Asia/Tokyo". */
const zoneText = (zone: string) =>
  REGIONS[zone] ?? `${zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ")} time`;

/**
 * The offsets of time zones, from the same rules as the API's (zones.gen.json, written by `make zones`). A browser's own
 * table may be years old, and then the page would show another time than the email.
 */
import table from "../zones.gen.json";
import { lazy } from "./lazy";

const MINUTE_MS = 60_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;

type ZoneType = { offset: number; label: string };
/** When a type begins, in milliseconds since 1970, and the type. */
type Change = { at: number; type: ZoneType };

const types: ZoneType[] = table.types.map(([offset, label]) => ({ offset: Number(offset), label: String(label) }));
const aliases: Record<string, string> = table.aliases;
const numbers: Record<string, number> = table.zones;
const rules = new Map<number, Change[]>();
const hidden = lazy(() => new Set(table.hidden));

function typeAt(index: number | undefined): ZoneType {
  return types[index ?? 0] ?? { offset: 0, label: "UTC" };
}

function changesOf(number: number): Change[] {
  let found = rules.get(number);
  if (!found) {
    const [first, ...rest] = table.rules[number] ?? [];
    found = [{ at: -Infinity, type: typeAt(first) }];
    let at = 0;
    for (let index = 0; index < rest.length; index += 2) {
      at += (rest[index] ?? 0) * HALF_HOUR_MS;
      found.push({ at, type: typeAt(rest[index + 1]) });
    }
    rules.set(number, found);
  }
  return found;
}

/** Return the same day and time in the nearest year of the table. */
function inCoveredYears(time: number): number {
  const date = new Date(time);
  const [first = 0, last = 0] = table.years;
  const year = Math.min(Math.max(date.getUTCFullYear(), first), last);
  return year === date.getUTCFullYear() ? time : date.setUTCFullYear(year);
}

/** Return today's name of a zone: "Asia/Kolkata" for "Asia/Calcutta". A name that is not known stays as it is. */
export const canonicalZone = (zone: string) => aliases[zone] ?? zone;

/** The names that people choose from, sorted. */
export const offeredZones = lazy(() => Object.keys(numbers).filter((name) => !hidden().has(name)));

/** Return the offset in minutes and the label of a zone at an instant. A zone that is not known follows the browser. */
export function zoneTypeAt(time: number, zone: string): ZoneType {
  const number = numbers[canonicalZone(zone)];
  if (number === undefined) return browserType(time, zone);
  const covered = inCoveredYears(time);
  return changesOf(number).findLast(({ at }) => at <= covered)?.type ?? typeAt(0);
}

/** Return the wall time of an instant as if it were UTC, in milliseconds. */
export const wallMs = (time: number, zone: string) => time + zoneTypeAt(time, zone).offset * MINUTE_MS;

/** The release that made this page may be older than the API, which knows a newer zone. */
function browserType(time: number, zone: string): ZoneType {
  // eslint-disable-next-line no-restricted-syntax -- our table does not have it
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(time);
  const label = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours, minutes] = /^GMT([+-])(\d+):(\d+)$/.exec(label) ?? [];
  const offset = (sign === "-" ? -1 : 1) * (60 * Number(hours ?? 0) + Number(minutes ?? 0));
  return { offset, label: label.replace(/([+-])0/, "$1").replace(":00", "") };
}

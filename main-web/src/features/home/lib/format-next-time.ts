const DAY_MS = 86_400_000;

const DAY = { weekday: "short", month: "short", day: "numeric" } as const;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;
type Formatters = { day: Intl.DateTimeFormat; clock: Intl.DateTimeFormat };
/** By zone: creating them is slow on a phone, and gurus share few zones. */
const created = new Map<string, Formatters>();

function formattersOf(zone: string): Formatters {
  const found = created.get(zone);
  if (found) return found;
  const formatters = { day: formatter(zone, DAY), clock: formatter(zone, CLOCK) };
  created.set(zone, formatters);
  return formatters;
}

function formatter(zone: string, options: Intl.DateTimeFormatOptions) {
  try {
    // eslint-disable-next-line no-restricted-syntax -- the product's tables are a fifth of the home page's script
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat("en-US", options); // a browser without this zone
  }
}

/**
 * Format a guru's next free time in their zone as "Today, 3:00 PM", "Tomorrow, 9:00 AM" or "Tue, Dec 1, 9:00 AM". The
 * tables of zones that other pages use would be a fifth of this page's script.
 */
export function formatNextTime(iso: string, zone: string, now = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const { day, clock } = formattersOf(zone);
  const date = day.format(time);
  const named = date === day.format(now) ? "Today" : date === day.format(now + DAY_MS) ? "Tomorrow" : date;
  return `${named}, ${clock.format(time).replace(/\u202f/g, " ")}`;
}

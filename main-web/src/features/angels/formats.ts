const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const DAY = new Intl.DateTimeFormat("en-US", { weekday: "short", month: "short", day: "numeric", timeZone: "UTC" });

export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** 4500 -> "$45", 1950 -> "$19.50". */
export function dollars(cents: number): string {
  const shown = MONEY.format(cents / 100);
  return cents % 100 === 0 ? shown.slice(0, -3) : shown;
}

/** "45", "$45.5", " 1,200 " -> cents; null for what is no amount. */
export function centsOf(text: string): number | null {
  const plain = text.trim().replace(/^\$\s*/, "").replace(/,(?=\d{3}(\D|$))/g, "");
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}

/** ISO days as "Sat, Nov 21" or "Sat, Nov 21 – Fri, Nov 27". */
export function dayRange(from: string, until: string): string {
  const day = (iso: string) => DAY.format(Date.parse(iso));
  return from === until ? day(from) : `${day(from)} – ${day(until)}`;
}

/** Days from 1 (Monday): "Every day", "Weekdays", "Mon, Wed, Sun". */
export function weekdays(days: readonly number[]): string {
  if (days.length === 7) return "Every day";
  if (days.join() === "1,2,3,4,5") return "Weekdays";
  if (days.join() === "6,7") return "Weekends";
  return days.map((day) => DAYS[day - 1]).join(", ");
}

/** Whole miles in words; coarse on purpose, because the places are. */
export function distance(miles: number): string {
  return miles <= 2 ? "within 2 miles" : `about ${miles} miles`;
}

/** Today and later days as ISO, where the reader is. */
export function isoDay(daysFromNow: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysFromNow, 12);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
}

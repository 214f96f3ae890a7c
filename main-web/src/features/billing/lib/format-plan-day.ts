const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" });
const dayOfYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });

/** Format a day as "Dec 4", or "Dec 4, 2027" when it is in another year. */
export function formatPlanDay(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Format weekdays (1 is Monday) as "Every day", "Weekdays" or "Mon, Wed, Sun". */
export function weekdaysLabel(days: readonly number[]): string {
  if (days.length === 7) return "Every day";
  if (days.join() === "1,2,3,4,5") return "Weekdays";
  if (days.join() === "6,7") return "Weekends";
  return days.map((day) => WEEKDAYS[day - 1]).join(", ");
}

/** Format whole miles; coarse because the positions are. */
export function distanceLabel(miles: number): string {
  return miles <= 2 ? "within 2 miles" : `about ${miles} miles`;
}

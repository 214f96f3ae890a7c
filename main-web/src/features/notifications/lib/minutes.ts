/** Minutes after midnight: 8 AM. */
export const DEFAULT_DIGEST_AT = 480;

/** Return minutes after midnight as a time input has them: "08:00". */
export function toTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Return the minutes after midnight of a time input; null while it is not complete. */
export function toMinutes(time: string): number | null {
  const match = /^(\d{2}):(\d{2})/.exec(time);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

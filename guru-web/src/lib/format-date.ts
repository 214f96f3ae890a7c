const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "2026-10-03T09:00:00Z" as "Oct 3, 2026". In UTC, so that server and browser render the same text. */
export function formatDate(iso: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  const [, year, month, day] = match ?? [];
  const name = months[Number(month) - 1];
  return year === undefined || name === undefined ? "" : `${name} ${String(Number(day))}, ${year}`;
}

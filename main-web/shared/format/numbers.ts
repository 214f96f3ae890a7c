import { lazy } from "./lazy";

const KIB = 1024;

const integer = lazy(() => new Intl.NumberFormat("en-US"));
const oneDecimal = lazy(() => new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
const list = lazy(() => new Intl.ListFormat("en-US"));

/** Format 1234567 as "1,234,567". */
export const formatNumber = (value: number) => integer().format(value);

/** Format a rating with one decimal: 4 as "4.0". */
export const formatRating = (value: number) => oneDecimal().format(value);

/** Format names as "A, B, and C". */
export const formatList = (items: readonly string[]) => list().format(items);

/** Format a count with its noun: "1 lead", "1,200 leads". */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** Format minutes: 90 as "1 h 30 min". */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Format bytes as "12 KB" or "3.4 MB". */
export function formatFileSize(bytes: number): string {
  return bytes < KIB * KIB ? `${Math.max(1, Math.round(bytes / KIB))} KB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

import { localDay } from "@porchlight/shared/format/session-times";

/** Group starts by their local day, in order. */
export function daysOfStarts(
  starts: readonly { startsAt: string }[],
  zone: string,
): { day: string; starts: string[] }[] {
  const days = new Map<string, string[]>();
  for (const { startsAt } of starts) {
    const day = localDay(startsAt, zone);
    days.set(day, [...(days.get(day) ?? []), startsAt]);
  }
  return [...days].map(([day, list]) => ({ day, starts: list }));
}

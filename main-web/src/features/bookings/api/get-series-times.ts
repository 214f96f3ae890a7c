import { useQueries } from "@tanstack/react-query";
import { SLOT_DAYS, slotsQuery } from "./get-slots";
import type { Hold } from "../lib/types";
import { DAY_MS } from "../lib/waiver-days";

/** Get the free times of a hold's service on all days of a series; nothing is loaded without days. */
export function useSeriesTimes({ guruLabel, serviceId }: Hold, days: readonly string[]) {
  const from: string[] = [];
  for (const day of days) {
    const first = from.at(-1);
    if (first === undefined || Date.parse(day) >= Date.parse(first) + SLOT_DAYS * DAY_MS) from.push(day);
  }
  return useQueries({
    queries: from.map((day) => slotsQuery(guruLabel, serviceId, day)),
    combine: (results) => ({
      times: {
        lastDay: results[0]?.data?.lastDay ?? "",
        starts: results.flatMap(({ data }) => data?.starts ?? []),
      },
      isPending: results.some(({ isPending }) => isPending),
      isFetching: results.some(({ isFetching }) => isFetching),
      error: results.find(({ data, error }) => error !== null && data === undefined)?.error ?? null,
      refetch: () => results.forEach((result) => void result.refetch()),
    }),
  });
}

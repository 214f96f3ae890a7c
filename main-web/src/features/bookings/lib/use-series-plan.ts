import { useState } from "react";
import { useSeriesTimes } from "../api/get-series-times";
import { waiverEnd, type PartyPerson } from "./party";
import { planSeries, repeatedDays, type PlannedSession, type Repeat } from "./series-plan";
import type { Hold } from "./types";
import { DAY_MS, waiverDays } from "./waiver-days";

export type SeriesPlan = {
  sessions: PlannedSession[];
  /** The starts to book besides the held one. */
  starts: string[];
  /** How long the waiver of the session is valid. */
  waiverDays: number;
  isPending: boolean;
  isFetching: boolean;
  error: Error | null;
  refetch: () => void;
};

/**
 * Plan the further sessions of a series by the free times. `people` take part in a session that needs waivers, `gone`
 * are starts that the server refused.
 */
export function useSeriesPlan(
  hold: Hold,
  repeat: Repeat,
  people: PartyPerson[],
  gone: ReadonlySet<string>,
): SeriesPlan {
  const [now] = useState(Date.now);
  const { times, ...query } = useSeriesTimes(hold, repeatedDays(hold, repeat));
  const { required, level } = hold.waiver;
  const days = waiverDays(level);
  const end = required ? waiverEnd(people, hold.waiver, now + days * DAY_MS) : Infinity;
  const sessions = planSeries(hold, repeat, times, { gone, waiverEnd: end });
  return {
    ...query,
    sessions,
    starts: sessions.map(({ start }) => start).filter((start) => start !== ""),
    waiverDays: days,
  };
}

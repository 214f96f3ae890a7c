import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { forgetData, keepData, keptData } from "@/lib/kept-data";
import type { Roster } from "../lib/types";
import { ApiError } from "@porchlight/shared/client";

const EVERY_MS = 5 * 60_000;
/** While the list could not be loaded. */
const RETRY_MS = 30_000;

/**
 * A roster, when it was loaded, and how far the server's clock is ahead of this device's, in milliseconds.
 * `isKept`: it could not be loaded now.
 */
export type LoadedRoster = { roster: Roster; loadedAt: number; skew: number; isKept: boolean };

export const rosterQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "check-ins"],
    queryFn: async ({ signal }): Promise<LoadedRoster> => {
      const key = `roster/${userId}/`;
      try {
        const roster = await api.GET("/guru/check-ins", { signal });
        const loadedAt = Date.now();
        const loaded: LoadedRoster = { roster, loadedAt, skew: Date.parse(roster.asOf) - loadedAt, isKept: false };
        await keepData(key, loaded);
        return loaded;
      } catch (reason) {
        const status = reason instanceof ApiError ? reason.status : 0;
        const [kept] = (await keptData(key)) as LoadedRoster[];
        if (kept && (status === 0 || status >= 500)) return { ...kept, isKept: true };
        if (status === 404) await forgetData(key);
        throw reason;
      }
    },
    networkMode: "always",
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.isKept ? RETRY_MS : EVERY_MS),
    refetchIntervalInBackground: true,
  });

/** Get who comes to the guru's sessions, every five minutes; without a connection, the list that was kept. */
export function useRoster(userId: string) {
  return useQuery(rosterQuery(userId));
}

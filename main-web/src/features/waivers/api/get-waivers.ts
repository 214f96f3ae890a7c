import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Waiver = components["schemas"]["WaiverRow"];
export type ContactView = components["schemas"]["ContactViewRow"];
export type DueSession = components["schemas"]["WaiverSession"];

/** The query key of a user's waivers. */
export const ownWaiversKey = (userId: string) => ["waivers", "own", userId];

const ownWaiversQuery = (userId: string) =>
  queryOptions({
    queryKey: ownWaiversKey(userId),
    queryFn: ({ signal }) => api.GET("/liability/waivers", { signal }),
    staleTime: 0,
  });

/** List the user's waivers, newest first, and the sessions that need a new one. Disabled while signed out. */
export function useOwnWaivers() {
  const userId = useCurrentUserId();
  return useQuery({ ...ownWaiversQuery(userId), enabled: userId !== "" });
}

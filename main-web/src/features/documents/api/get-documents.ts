import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

/** Upload links are valid for five minutes: reload the list before they expire. */
const REFRESH_MS = 4 * 60_000;

export const documentsQuery = (uid: string) =>
  queryOptions({
    queryKey: ["documents", uid],
    queryFn: ({ signal }) => api.GET("/onboarding/documents", { signal }),
    staleTime: 10_000,
    refetchInterval: REFRESH_MS,
  });

/** List the user's documents, newest first. */
export function useDocuments() {
  return useQuery(documentsQuery(useCurrentUserId()));
}

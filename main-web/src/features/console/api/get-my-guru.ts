import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const myGuruQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "mine"],
    queryFn: async ({ signal }) => (await api.GET("/guru", { signal })).guru,
  });

/**
 * Get a summary of the user's own site; null for a user without one. Disabled while signed out.
 *
 * @param retryOnMount whether a component that mounts asks again when the read has failed; a part of the page's frame
 *   does not, because the page beside it shows the error and its retry button
 */
export function useMyGuru({ retryOnMount = true } = {}) {
  const userId = useConsoleUserId();
  return useQuery({ ...myGuruQuery(userId), enabled: userId !== "", retryOnMount });
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";

/** List what came in and went out of the signed-in user's hours, newest first, a page at a time. */
export function useHoursStatement() {
  const userId = useCurrentUserId();
  return useInfiniteQuery({
    queryKey: [...exchangesKey(userId), "hours statement"],
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string }) =>
      api.GET("/hours/statement", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
    enabled: userId !== "",
  });
}

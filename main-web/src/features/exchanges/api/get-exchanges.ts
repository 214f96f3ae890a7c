import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useFlag } from "@/lib/feature-flags";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";
import type { When } from "../lib/types";

/** List the signed-in user's exchanges of a tab, a page at a time. Disabled while signed out. */
export function useExchanges(when: When) {
  const userId = useCurrentUserId();
  const isOn = useFlag("booking");
  return useInfiniteQuery({
    queryKey: [...exchangesKey(userId), "list", when],
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string }) =>
      api.GET("/exchanges", { params: { query: { when, cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
    enabled: userId !== "" && isOn,
  });
}

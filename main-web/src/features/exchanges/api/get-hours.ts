import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";

/** Get the signed-in user's balance of hours, their swaps, and the free help they gave and got. */
export function useHours() {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: [...exchangesKey(userId), "hours"],
    queryFn: ({ signal }) => api.GET("/hours", { signal }),
    staleTime: 0,
    enabled: userId !== "",
  });
}

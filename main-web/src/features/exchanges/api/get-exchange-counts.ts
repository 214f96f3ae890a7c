import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useFlag } from "@/lib/feature-flags";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangesKey } from "../lib/query-keys";

/** Count the signed-in user's exchanges. Disabled while signed out. */
export function useExchangeCounts() {
  const userId = useCurrentUserId();
  const isOn = useFlag("booking");
  return useQuery({
    queryKey: [...exchangesKey(userId), "counts"],
    queryFn: ({ signal }) => api.GET("/exchanges/counts", { signal }),
    staleTime: 0,
    enabled: userId !== "" && isOn,
  });
}

import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useFlag } from "@/lib/feature-flags";
import { useCurrentUserId } from "@/lib/use-current-user-id";

/** List the saved searches of the signed-in user that found something in the last days. */
export function useNewResults() {
  const userId = useCurrentUserId();
  const isOn = useFlag("skillListing");
  return useQuery({
    queryKey: ["search", "new-results", userId],
    queryFn: ({ signal }) => api.GET("/search/saved/new-results", { signal }),
    enabled: userId !== "" && isOn,
  });
}

import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

export type PublicProfile = components["schemas"]["PublicProfileAnswer"];

/** What a neighbour lets others see; unknown and hidden ones are a 404 alike. */
export function usePublicProfile(handle: string, enabled: boolean) {
  return useQuery({
    queryKey: ["public-profile", handle],
    queryFn: ({ signal }) => api.get<PublicProfile>(`/users/${encodeURIComponent(handle)}`, { signal }),
    enabled,
    // What somebody has just hidden must not linger on the screens of others, nor on their own.
    staleTime: 0,
  });
}

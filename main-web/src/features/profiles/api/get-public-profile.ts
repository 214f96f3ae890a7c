import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type PublicProfile = components["schemas"]["PublicProfileResponse"];

/** Get the public profile of a user; unknown and hidden profiles are both a 404. */
export function usePublicProfile(handle: string, enabled: boolean) {
  return useQuery({
    queryKey: ["public-profile", handle],
    queryFn: ({ signal }) => api.GET("/users/{handle}", { params: { path: { handle } }, signal }),
    enabled,
    // Never cached: a field that was just hidden must not stay visible.
    staleTime: 0,
  });
}

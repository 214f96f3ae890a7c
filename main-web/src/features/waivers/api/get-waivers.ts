import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Waiver = components["schemas"]["WaiverRow"];

const NONE: Waiver[] = [];

/** List the user's waivers, newest first; none while signed out or loading. */
export function useWaivers(): Waiver[] {
  const userId = useCurrentUserId();
  const waivers = useQuery({
    queryKey: ["waivers", "own", userId],
    queryFn: ({ signal }) => api.get<{ waivers: Waiver[] }>("/liability/waivers", { signal }),
    enabled: userId !== "",
  });
  return waivers.data?.waivers ?? NONE;
}

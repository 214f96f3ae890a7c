import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { WaiverLevel } from "./levels";
import type { components } from "@porchlight/shared/api.gen";

export type WaiverText = components["schemas"]["WaiverTextBody"];

/** Get the current text of a level; not before the level is known. */
export function useWaiverText(level: WaiverLevel | null) {
  return useQuery({
    queryKey: ["waivers", "text", level],
    queryFn: ({ signal }) => api.get<WaiverText>(`/liability/texts/${level}`, { signal }),
    enabled: level !== null,
    staleTime: 5 * 60_000,
  });
}

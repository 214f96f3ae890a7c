import { skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { WaiverLevel } from "../lib/levels";
import type { components } from "@porchlight/shared/api.gen";

export type WaiverText = components["schemas"]["WaiverTextBody"];

/** Get the current text of a level, with what the guru of a service adds; not before the level is known. */
export function useWaiverText(level: WaiverLevel | null, exchangeId: string) {
  // Only services are in a guru's name: "label/id".
  const query = exchangeId.includes("/") ? { exchangeId } : {};
  return useQuery({
    queryKey: ["waivers", "text", level, query],
    queryFn: level
      ? ({ signal }) => api.GET("/liability/texts/{level}", { params: { path: { level }, query }, signal })
      : skipToken,
    staleTime: 5 * 60_000,
  });
}

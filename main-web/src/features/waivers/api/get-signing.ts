import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Signing = components["schemas"]["SigningData"];

export const signingQueryKey = (link: string) => ["waivers", "link", link];

/** Get what a personal link is for. */
export function useSigning(link: string) {
  return useQuery({
    queryKey: signingQueryKey(link),
    queryFn: ({ signal }) => api.GET("/liability/links/{link}", { params: { path: { link } }, signal }),
    staleTime: 0,
  });
}

import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Target } from "../lib/choices";
import type { components } from "@porchlight/shared/api.gen";

export type ChangePreview = components["schemas"]["ChangePreview"];

const previewQuery = (uid: string, { plan, interval }: Target) =>
  queryOptions({
    queryKey: ["billing", uid, "change", plan, interval],
    queryFn: ({ signal }) => api.GET("/billing/change", { params: { query: { plan, interval } }, signal }),
    // What an upgrade costs depends on the minute.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** Get what a change of the plan would do and cost. */
export function useChangePreview(uid: string, target: Target) {
  return useQuery(previewQuery(uid, target));
}

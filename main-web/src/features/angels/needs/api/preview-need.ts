import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

type NeedPreviewInput = components["schemas"]["ProposalPayload"];
export type NeedPreview = components["schemas"]["ProposalData"];

const needPreviewQuery = (input: NeedPreviewInput) =>
  queryOptions({
    queryKey: ["need-proposal", input],
    queryFn: ({ signal }) => api.POST("/need-proposals", { body: input, signal }),
    placeholderData: keepPreviousData,
  });

/** Suggest a service and a fair price for a need; disabled when `input` is null. */
export function useNeedPreview(input: NeedPreviewInput | null) {
  return useQuery({ ...needPreviewQuery(input ?? { description: "", hours: 2 }), enabled: input !== null });
}

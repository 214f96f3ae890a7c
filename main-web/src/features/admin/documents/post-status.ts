import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../kit/api";
import { ADMIN } from "../admin-keys";
import { type StaffPaper } from "./get-pending";
import { ApiError } from "@porchlight/shared/client";

export type Review = { status: "approved" | "rejected"; reason: string };

/** Approves or rejects a document (SPEC 7.2). The list reloads whatever came of it: somebody else may have been first. */
export function useReview(paper: StaffPaper) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (review: Review) => api.post(`/documents/${paper.uid}/${paper.id}/status`, { body: review }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN, "documents"] }),
  });
}

/** SPEC 8.4: one sentence for an answer that is none, another for no answer at all. */
export function reviewErrorText(reason: unknown): string {
  const answered = reason instanceof ApiError && reason.status > 0;
  return answered ? "Failed to update document status" : "Error updating document status";
}

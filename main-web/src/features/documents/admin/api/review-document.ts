import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";
import { type AdminDocument } from "./get-pending-documents";
import { ApiError } from "@porchlight/shared/client";

export type Review = { status: "approved" | "rejected"; reason: string };

/** Approve or reject a document (SPEC 7.2). The list reloads in any case: a colleague may have been first. */
export function useReviewDocument(document: AdminDocument) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (review: Review) =>
      api.POST("/documents/{uid}/{id}/status", {
        params: { path: { uid: document.uid, id: document.id } },
        body: review,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, "documents"] }),
  });
}

/** Return SPEC 8.4's message: one for an error response, another without a response. */
export function reviewErrorText(reason: unknown): string {
  const hasResponse = reason instanceof ApiError && reason.status > 0;
  return hasResponse ? "Failed to update document status" : "Error updating document status";
}

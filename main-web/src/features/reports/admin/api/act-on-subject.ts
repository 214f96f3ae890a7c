import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";
import type { ReportDetail } from "../lib/types";

type Subject = Pick<ReportDetail, "kind" | "subjectId" | "guru" | "owner">;

/** What to do: take the reported subject down for a reason, or bring it back. */
export type SubjectChange = { takeDown: true; reason: string } | { takeDown: false };

/** Hide, remove or suspend what was reported, by its kind, or bring it back. A removed review stays removed. */
export function useActOnSubject(report: Subject) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: SubjectChange) => (change.takeDown ? takeDown(report, change.reason) : bringBack(report)),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}

function takeDown({ kind, subjectId, guru, owner }: Subject, reason: string): Promise<unknown> {
  const body = { reason };
  if (kind === "post")
    return api.POST("/admin/posts/{post_id}/hiding", { params: { path: { post_id: subjectId } }, body });
  if (kind === "listing")
    return api.POST("/admin/listings/{listing_id}/hiding", { params: { path: { listing_id: subjectId } }, body });
  if (kind === "review")
    return api.POST("/admin/reviews/{review_id}/removal", { params: { path: { review_id: subjectId } }, body });
  if (kind === "site" && guru)
    return api.POST("/admin/sites/{label}/suspension", { params: { path: { label: guru } }, body });
  return api.POST("/admin/users/{user_id}/suspension", {
    params: { path: { user_id: owner?.userId ?? subjectId } },
    body,
  });
}

function bringBack({ kind, subjectId, guru, owner }: Subject): Promise<unknown> {
  if (kind === "post") return api.DELETE("/admin/posts/{post_id}/hiding", { params: { path: { post_id: subjectId } } });
  if (kind === "listing")
    return api.DELETE("/admin/listings/{listing_id}/hiding", { params: { path: { listing_id: subjectId } } });
  if (kind === "site" && guru)
    return api.DELETE("/admin/sites/{label}/suspension", { params: { path: { label: guru } } });
  return api.DELETE("/admin/users/{user_id}/suspension", { params: { path: { user_id: owner?.userId ?? subjectId } } });
}

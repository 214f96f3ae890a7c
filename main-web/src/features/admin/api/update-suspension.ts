import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../lib/query-keys";

type Change = { suspend: true; reason: string } | { suspend: false };

/** A user by id, or a site by label. */
type Subject = { user: string } | { site: string };

/** Suspend or restore a user or a site. */
export function useUpdateSuspension(subject: Subject) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => update(subject, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}

function update(subject: Subject, change: Change) {
  const body = change.suspend ? { reason: change.reason } : null;
  if ("user" in subject) {
    const params = { path: { user_id: subject.user } };
    return body
      ? api.POST("/admin/users/{user_id}/suspension", { params, body })
      : api.DELETE("/admin/users/{user_id}/suspension", { params });
  }
  const params = { path: { label: subject.site } };
  return body
    ? api.POST("/admin/sites/{label}/suspension", { params, body })
    : api.DELETE("/admin/sites/{label}/suspension", { params });
}

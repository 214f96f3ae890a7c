import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";

/** Verify the hash chain of the audit log; runs only when staff ask for it. */
export function useAuditState() {
  return useQuery({
    queryKey: [ADMIN_KEY, "audit-state"],
    queryFn: ({ signal }) => api.GET("/admin/audit/state", { signal }),
    enabled: false,
  });
}

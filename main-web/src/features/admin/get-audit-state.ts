import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { AuditState } from "./types";

/** Whether every link of the log holds; looked at once the reader asks. */
export function useAuditState() {
  return useQuery({
    queryKey: [ADMIN, "audit-state"],
    queryFn: ({ signal }) => api.get<AuditState>("/admin/audit/state", { signal }),
    enabled: false,
  });
}

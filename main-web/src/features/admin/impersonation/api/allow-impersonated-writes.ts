import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { startImpersonation } from "@/lib/impersonation";
import type { ImpersonationData } from "../../lib/types";

/** Allow changes during the impersonation, with a reason. */
export function useAllowImpersonatedWrites() {
  return useMutation({
    mutationFn: (reason: string) => api.put<ImpersonationData>("/admin/impersonation/writing", { body: { reason } }),
    onSuccess: startImpersonation,
  });
}

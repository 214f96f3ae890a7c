import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { startImpersonation } from "@/lib/impersonation";

/** Allow changes during the impersonation, with a reason. */
export function useAllowImpersonatedWrites() {
  return useMutation({
    mutationFn: (reason: string) => api.PUT("/admin/impersonation/writing", { body: { reason } }),
    onSuccess: startImpersonation,
  });
}

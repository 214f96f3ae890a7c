import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { startImpersonation } from "@/lib/impersonation";
import { useClearOtherQueries } from "../lib/use-clear-other-queries";

/** Start impersonating a guru: console requests carry the guru's subdomain from now on. */
export function useStartImpersonation(label: string) {
  const clearOtherQueries = useClearOtherQueries();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (reason: string) =>
      api.POST("/admin/sites/{label}/impersonation", { params: { path: { label } }, body: { reason } }),
    onSuccess: async (impersonation) => {
      clearOtherQueries();
      startImpersonation(impersonation);
      await navigate(paths.guru);
    },
  });
}

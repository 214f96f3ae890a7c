import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { startImpersonation } from "@/lib/impersonation";
import type { ImpersonationData } from "../../lib/types";
import { useClearOtherQueries } from "../lib/use-clear-other-queries";

/** Start impersonating a guru: console requests carry the guru's subdomain from now on. */
export function useStartImpersonation(label: string) {
  const clearOtherQueries = useClearOtherQueries();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (reason: string) =>
      api.post<ImpersonationData>(`/admin/sites/${label}/impersonation`, { body: { reason } }),
    onSuccess: async (impersonation) => {
      clearOtherQueries();
      startImpersonation(impersonation);
      await navigate(paths.guru);
    },
  });
}

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { endImpersonation } from "@/lib/impersonation";
import { toast } from "@/lib/toast-store";
import { useClearOtherQueries } from "../lib/use-clear-other-queries";
import { ApiError } from "@porchlight/shared/client";

/** End the impersonation on the server, then in this tab. `isOver`: its time is up, so it ends here in any case. */
export function useStopImpersonation() {
  const clearOtherQueries = useClearOtherQueries();
  const navigate = useNavigate();
  async function leave() {
    // Leave the console first, which would otherwise redirect to the login.
    await navigate(paths.adminSites);
    endImpersonation();
    clearOtherQueries();
  }
  return useMutation({
    mutationFn: (isOver: boolean) =>
      api.DELETE("/admin/impersonation").catch((reason: unknown) => {
        const isUnanswered = reason instanceof ApiError && (reason.status === 0 || reason.status >= 500);
        if (!isOver && isUnanswered) throw reason;
      }),
    onSuccess: leave,
    onError: (reason) => toast.error(`You're still viewing as this guru. ${reason.message}`),
  });
}

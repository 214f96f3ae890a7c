import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { endImpersonation } from "@/lib/impersonation";
import { toast } from "@/lib/toast-store";
import { ADMIN_KEY } from "../../lib/query-keys";
import { signOutErrorText } from "@porchlight/shared/auth-errors";
import { ApiError } from "@porchlight/shared/client";

/** End the staff session, then go home, replacing history (SPEC 7.2). A failure leaves the page as it is. */
export function useLogOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      // A read that meets the ended session would lead to the login instead of home.
      await queries.cancelQueries({ queryKey: [ADMIN_KEY] });
      await api.POST("/admin/logout").catch(ignoreEndedSession);
    },
    onError: (reason) => toast.error(signOutErrorText(reason)),
    onSuccess: async () => {
      endImpersonation();
      await navigate(paths.home, { replace: true });
      queries.removeQueries({ queryKey: [ADMIN_KEY] });
    },
  });
}

function ignoreEndedSession(reason: unknown) {
  if (!(reason instanceof ApiError && reason.status === 401)) throw reason;
}

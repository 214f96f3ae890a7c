import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { endImpersonation } from "@/lib/impersonation";
import { ADMIN_KEY } from "../../lib/query-keys";

/** End the staff session, then go home, replacing history (SPEC 7.2). */
export function useLogOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.post("/admin/logout"),
    onSettled: async () => {
      endImpersonation();
      await navigate(paths.home, { replace: true });
      queries.removeQueries({ queryKey: [ADMIN_KEY] });
    },
  });
}

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { endImpersonation } from "@/lib/impersonation";
import { useClearOtherQueries } from "../lib/use-clear-other-queries";

/** End the impersonation on the server and in this tab. */
export function useStopImpersonation() {
  const clearOtherQueries = useClearOtherQueries();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.delete("/admin/impersonation"),
    onSettled: async () => {
      // Leave the console first, which would otherwise redirect to the login.
      await navigate(paths.adminSites);
      endImpersonation();
      clearOtherQueries();
    },
  });
}

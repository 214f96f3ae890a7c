import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { api } from "../../kit/api";
import { leaveConsole } from "../../kit/looking-as";
import { ADMIN } from "./admin-keys";

/** Ends the staff session; then home, replacing history (SPEC 7.2). */
export function useLogout() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.post("/admin/logout"),
    onSettled: async () => {
      leaveConsole();
      await navigate(paths.home, { replace: true });
      queries.removeQueries({ queryKey: [ADMIN] });
    },
  });
}

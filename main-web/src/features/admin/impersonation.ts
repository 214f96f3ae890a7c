import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { api } from "../../kit/api";
import { configQuery } from "../../kit/get-config";
import { enterConsole, leaveConsole } from "../../kit/looking-as";
import { ADMIN } from "./admin-keys";
import type { Look } from "./types";

/** What was loaded as somebody else is of no use, and none of staff's business any more. */
function useForgetOthers() {
  const queries = useQueryClient();
  const kept: readonly unknown[] = [configQuery.queryKey[0], ADMIN];
  return () => queries.removeQueries({ predicate: (query) => !kept.includes(query.queryKey[0]) });
}

/** Looks at a site as its guru: from here on, calls of the console carry the guru's label. */
export function useBeginLooking(label: string) {
  const forget = useForgetOthers();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (reason: string) => api.post<Look>(`/admin/sites/${label}/impersonation`, { body: { reason } }),
    onSuccess: async (look) => {
      forget();
      enterConsole(look);
      await navigate(paths.guru);
    },
  });
}

/** Lets this look change things, with a reason. */
export function useAllowChanges() {
  return useMutation({
    mutationFn: (reason: string) => api.put<Look>("/admin/impersonation/writing", { body: { reason } }),
    onSuccess: enterConsole,
  });
}

/** Ends the look, on the server and here. */
export function useStopLooking() {
  const forget = useForgetOthers();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.delete("/admin/impersonation"),
    onSettled: async () => {
      // First away from the console, which would ask whoever is left to sign in.
      await navigate(paths.adminSites);
      leaveConsole();
      forget();
    },
  });
}

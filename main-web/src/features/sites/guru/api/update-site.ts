import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { overviewQuery } from "@/features/console/contract";
import type { SiteProfileUpdate } from "../lib/types";
import { siteQuery } from "./get-site";

/** Save the given fields. The server answers 409 when the site changed elsewhere since `revision`. */
export function useUpdateSite() {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (update: SiteProfileUpdate & { revision: string }) => api.PUT("/guru/site", { body: update }),
    onSuccess: (saved) => {
      queries.setQueryData(siteQuery(userId).queryKey, saved);
      void queries.invalidateQueries({ queryKey: overviewQuery(userId).queryKey });
    },
  });
}

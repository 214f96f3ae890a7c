import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { FaceChanges, SiteData } from "./types";
import { useUid } from "./use-uid";

const key = (uid: string) => ["guru", uid, "site"];

/** Texts and look of one's own site, fresh each time the form is opened. */
export function useSite() {
  const uid = useUid();
  return useQuery({
    queryKey: key(uid),
    queryFn: ({ signal }) => api.get<SiteData>("/guru/site", { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Saves what is named; 409 when the site was changed elsewhere since `revision`. */
export function usePutSite() {
  const uid = useUid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sent: FaceChanges & { revision: string }) => api.put<SiteData>("/guru/site", { body: sent }),
    onSuccess: (saved) => {
      queries.setQueryData(key(uid), saved);
      void queries.invalidateQueries({ queryKey: ["guru", uid, "overview"] });
    },
  });
}

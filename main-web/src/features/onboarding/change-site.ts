import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type Published } from "./own";

function useSiteChange<Sent>(change: (sent: Sent) => Promise<Published>) {
  const queries = useQueryClient();
  const uid = useUid();
  return useMutation({
    mutationFn: change,
    // Also after a refusal: it may be that something changed since we last looked.
    onSettled: () => queries.invalidateQueries({ queryKey: ["onboarding", uid] }),
  });
}

/** Publishes one's site, or brings it up to what the wizard says. Asked twice, it is done once. */
export function usePublish() {
  return useSiteChange((subdomain: string | undefined) =>
    api.post<Published>("/onboarding/publish", { body: subdomain === undefined ? {} : { subdomain } }),
  );
}

/** Takes one's site off the air. */
export function useUnpublish() {
  return useSiteChange<undefined>(() => api.post<Published>("/onboarding/unpublish"));
}

/** Gives one's site another address. */
export function useRename() {
  return useSiteChange((subdomain: string) => api.put<Published>("/onboarding/subdomain", { body: { subdomain } }));
}

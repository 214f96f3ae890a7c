import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { statusQuery } from "./get-status";
import type { WizardServicesPayload } from "../lib/types";

/** Confirm the services of the new site, with their names, prices and lengths. */
export function useConfirmServices() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  return useMutation({
    mutationFn: (body: WizardServicesPayload) => api.PUT("/onboarding/services", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey }),
  });
}

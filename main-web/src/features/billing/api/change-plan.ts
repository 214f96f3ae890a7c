import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Target } from "../lib/choices";
import type { components } from "@porchlight/shared/api.gen";

export type ChangeResult = components["schemas"]["ChangeResult"];

const TIMEOUT_MS = 15_000;

/** Change, cancel or keep the plan, and reload it. */
export function useChangePlan(uid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Target & { proratedAt: string | null }) =>
      api.POST("/billing/change", { body: change, timeout: TIMEOUT_MS }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["billing", uid], exact: true }),
  });
}

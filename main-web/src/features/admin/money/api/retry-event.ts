import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { StripeEvent } from "../../lib/types";

/** Process a failed event of Stripe again. */
export function useRetryEvent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post<StripeEvent>(`/admin/money/events/${encodeURIComponent(id)}/retries`),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
}

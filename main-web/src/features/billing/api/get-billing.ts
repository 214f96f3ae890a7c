import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Billing = components["schemas"]["Billing"];

export const billingQuery = (userId: string | null) =>
  queryOptions({
    queryKey: ["billing", userId],
    queryFn: ({ signal }) => api.GET("/billing", { signal }),
    enabled: userId !== null,
  });

/** Get the plan of the signed-in user, its limits and what is used of them. */
export function useBilling(userId: string | null) {
  return useQuery(billingQuery(userId));
}

import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type LeadAddress = components["schemas"]["LeadAddressData"];

export const leadAddressQuery = (token: string) =>
  queryOptions({
    queryKey: ["lead-address", token],
    queryFn: ({ signal }) => api.GET("/lead-addresses/{token}", { params: { path: { token } }, signal }),
  });

/** Get what the owner of an email address said about email from a site. The token is in the site's emails. */
export function useLeadAddress(token: string) {
  return useQuery(leadAddressQuery(token));
}

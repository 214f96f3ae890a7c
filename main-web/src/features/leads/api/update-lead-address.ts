import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { leadAddressQuery } from "./get-lead-address";
import type { components } from "@porchlight/shared/api.gen";

export type LeadAddressAnswer = components["schemas"]["LeadAddressPayload"]["state"];

/** Confirm or block email from a site. */
export function useUpdateLeadAddress(token: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (state: LeadAddressAnswer) =>
      api.PUT("/lead-addresses/{token}", { params: { path: { token } }, body: { state } }),
    onSuccess: (address) => queries.setQueryData(leadAddressQuery(token).queryKey, address),
  });
}

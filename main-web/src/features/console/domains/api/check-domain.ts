import { api } from "@/lib/api-client";
import type { CustomDomain } from "../../lib/types";
import { useDomainMutation } from "../lib/use-domain-mutation";

/** Look up a domain's DNS records and certificate now. */
export function useCheckDomain() {
  return useDomainMutation((domain) => api.post<CustomDomain>(`/guru/domains/${encodeURIComponent(domain)}/checks`));
}

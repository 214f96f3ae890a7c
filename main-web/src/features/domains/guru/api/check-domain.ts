import { api } from "@/lib/api-client";
import { useDomainMutation } from "../lib/use-domain-mutation";

/** Look up a domain's DNS records and certificate now. */
export function useCheckDomain() {
  return useDomainMutation((domain) => api.POST("/guru/domains/{domain}/checks", { params: { path: { domain } } }));
}

import { api } from "@/lib/api-client";
import { useDomainMutation } from "../lib/use-domain-mutation";

/** Remove a domain from the site. */
export function useRemoveDomain() {
  return useDomainMutation((domain) => api.DELETE("/guru/domains/{domain}", { params: { path: { domain } } }));
}

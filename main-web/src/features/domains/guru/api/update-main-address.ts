import { api } from "@/lib/api-client";
import { useDomainMutation } from "../lib/use-domain-mutation";

/** Choose the main address of the site: a connected domain, or null for its Porchlight address. */
export function useUpdateMainAddress() {
  return useDomainMutation((domain: string | null) => api.PUT("/guru/domains/main", { body: { domain } }));
}

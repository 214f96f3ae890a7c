import { api } from "@/lib/api-client";
import { useDomainMutation } from "../lib/use-domain-mutation";

/** Add a domain to the site. The server answers 409 when another site serves it. */
export function useAddDomain() {
  return useDomainMutation((body: { domain: string; withWww: boolean }) => api.POST("/guru/domains", { body }));
}

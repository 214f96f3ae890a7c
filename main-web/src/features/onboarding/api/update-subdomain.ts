import { api } from "@/lib/api-client";
import { useSiteMutation } from "../lib/use-site-mutation";

/** Move the site to another subdomain. */
export function useUpdateSubdomain() {
  return useSiteMutation((subdomain: string) => api.PUT("/onboarding/subdomain", { body: { subdomain } }));
}

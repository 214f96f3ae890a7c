import { api } from "@/lib/api-client";
import type { Published } from "../lib/types";
import { useSiteMutation } from "../lib/use-site-mutation";

/** Move the site to another subdomain. */
export function useUpdateSubdomain() {
  return useSiteMutation((subdomain: string) => api.put<Published>("/onboarding/subdomain", { body: { subdomain } }));
}

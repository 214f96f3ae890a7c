import { api } from "@/lib/api-client";
import type { Published } from "../lib/types";
import { useSiteMutation } from "../lib/use-site-mutation";

/** Unpublish the site. */
export function useUnpublishSite() {
  return useSiteMutation<undefined>(() => api.post<Published>("/onboarding/unpublish"));
}

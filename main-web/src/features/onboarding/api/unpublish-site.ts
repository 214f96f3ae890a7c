import { api } from "@/lib/api-client";
import { useSiteMutation } from "../lib/use-site-mutation";

/** Unpublish the site. */
export function useUnpublishSite() {
  return useSiteMutation<undefined>(() => api.POST("/onboarding/unpublish"));
}

import { api } from "@/lib/api-client";
import { useSiteMutation } from "../lib/use-site-mutation";

/** Publish the site, or update it from the wizard. Repeated requests publish once. */
export function usePublishSite() {
  return useSiteMutation((subdomain: string | undefined) =>
    api.POST("/onboarding/publish", { body: subdomain === undefined ? {} : { subdomain } }),
  );
}

import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { RedirectUrl } from "../lib/types";

/** Go to Stripe's onboarding page (SPEC 7.2). */
export function useStartConnection() {
  return useMutation({
    mutationFn: () => api.post<RedirectUrl>("/connect/start"),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

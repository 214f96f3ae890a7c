import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** Go to Stripe's onboarding page (SPEC 7.2). */
export function useStartConnection() {
  return useMutation({
    mutationFn: () => api.POST("/connect/start"),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Choice } from "../lib/choices";

/** Time until the server gives up waiting for Stripe, and some more. */
const TIMEOUT_MS = 15_000;

/** Go to Stripe's Checkout. Asking again, also in another tab, leads to the same checkout. */
export function useStartCheckout() {
  return useMutation({
    mutationFn: (choice: Choice & { returnTo: string }) =>
      api.POST("/billing/checkout", { body: choice, timeout: TIMEOUT_MS }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

import { useMutation } from "@tanstack/react-query";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";

/** In the address of the plan page after a visit at Stripe, whose result arrives a moment later. */
export const FROM_STRIPE = "from-stripe";

/** Go to the page of Stripe on which the card is changed. It leads back to the plan page. */
export function useOpenPortal() {
  return useMutation({
    mutationFn: () => api.POST("/billing/portal", { body: { returnTo: `${paths.plan}?${FROM_STRIPE}=1` } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

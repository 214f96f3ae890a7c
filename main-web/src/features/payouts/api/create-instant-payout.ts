import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ApiError } from "@porchlight/shared/client";

/** The server waits up to 8 s for Stripe and then answers "pending". */
const TIMEOUT_MS = 20_000;

export type InstantPayoutRequest = {
  /** Cents; null for all that is available (SPEC 5). */
  amountCents: number | null;
  /** The amount with its fee, as it was confirmed. The server takes no other one. */
  totalCents: number;
  /** Makes a retry the same payout. */
  key: string;
};

/** Pay out now (SPEC 7.2). */
export function useCreateInstantPayout() {
  const uid = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ amountCents, totalCents, key }: InstantPayoutRequest) =>
      api.POST("/payouts/instant", {
        body: amountCents === null ? { totalCents } : { amountCents, totalCents },
        headers: { "Idempotency-Key": key },
        timeout: TIMEOUT_MS,
      }),
    onSettled: () =>
      Promise.all(
        ["balance", "history", "quote"].map((part) => queries.invalidateQueries({ queryKey: ["payouts", uid, part] })),
      ),
  });
}

/** Return whether the server decided against a payout; after other failures it may have been sent. */
export function isRefused(reason: Error): boolean {
  return reason instanceof ApiError && reason.status >= 400 && reason.status < 500;
}

/** The words of a failed payout (SPEC 8.7): the server's own, with any status. */
export function failureText(reason: Error): string {
  if (reason instanceof ApiError && reason.status > 0) return reason.serverMessage || "Payout failed";
  return "An unexpected error occurred during the payout process.";
}

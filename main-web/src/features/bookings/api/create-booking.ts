import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Answer } from "@/lib/questions";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Signer } from "../lib/booking-draft";
import { bookingQuery } from "./get-booking";
import { EMAIL_UNVERIFIED } from "@porchlight/shared/client";

export type BookingPayload = {
  hold: string;
  name: string;
  participants: string[];
  /** Who signs for each participant, if the session needs a waiver. */
  signers?: { signer: Signer; email: string }[];
  note: string;
  address: string;
  /** The answers to the guru's questions. */
  answers: Answer[];
  /** The package to use, and how many of its sessions the person saw that it covers. */
  package?: { id: string; sessions: number };
  policyDigest: string;
  /** The IANA zone in which the person saw the time: emails show it, too. */
  zone: string;
};

/** Book a hold. The idempotency key makes repeated attempts count once. */
export function useCreateBooking() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: ({ idempotencyKey, booking }: { idempotencyKey: string; booking: BookingPayload }) =>
      api.POST("/bookings", {
        handled: [EMAIL_UNVERIFIED],
        body: booking,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    onSuccess: (booking) => {
      void queries.invalidateQueries({ queryKey: ["bookings"], predicate: ({ queryKey }) => queryKey[1] !== "hold" });
      queries.setQueryData(bookingQuery(userId, booking.id).queryKey, booking);
    },
  });
}

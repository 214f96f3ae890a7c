import { api } from "@/lib/api-client";
import { useBookingMutation } from "../lib/use-booking-mutation";
import type { components } from "@porchlight/shared/api.gen";

export type CustomerBooking = components["schemas"]["CustomerBookingPayload"];

/** Book a session for a customer without an account. The idempotency key makes repeated attempts count once. */
export function useBookCustomer() {
  return useBookingMutation(({ idempotencyKey, booking }: { idempotencyKey: string; booking: CustomerBooking }) =>
    api.POST("/guru/bookings", { body: booking, headers: { "Idempotency-Key": idempotencyKey } }),
  );
}

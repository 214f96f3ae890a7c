import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "../api/get-bookings";
import { useBookingMutation } from "../lib/use-booking-mutation";
import type { RefundPayload } from "../lib/types";

const previewQuery = (userId: string, id: string, amountCents: number) =>
  queryOptions({
    queryKey: [...bookingsKey(userId), "refund", id, amountCents],
    queryFn: ({ signal }) =>
      api.GET("/guru/bookings/{booking_id}/refunds/preview", {
        params: { path: { booking_id: id }, query: { amountCents } },
        signal,
      }),
    enabled: amountCents > 0,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });

/** Get what of a refund comes from the guru, and what from the platform. Nothing for 0 cents. */
export function useRefundPreview(id: string, amountCents: number) {
  return useQuery(previewQuery(useConsoleUserId(), id, amountCents));
}

type Sent = { idempotencyKey: string; refund: RefundPayload };

/** Return a part of a booking's payment. The idempotency key makes repeated attempts count once. */
export function useCreateRefund(id: string) {
  return useBookingMutation(({ idempotencyKey, refund }: Sent) =>
    api.POST("/guru/bookings/{booking_id}/refunds", {
      params: { path: { booking_id: id } },
      body: refund,
      headers: { "Idempotency-Key": idempotencyKey },
    }),
  );
}

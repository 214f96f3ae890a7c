import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { BookingPayload } from "./create-booking";
import { bookingQuery } from "./get-booking";
import { seriesQueryKey } from "./get-series";
import { EMAIL_UNVERIFIED } from "@porchlight/shared/client";

export type SeriesPayload = BookingPayload & { starts: string[] };

/** Book a hold and further sessions, all or none. The idempotency key makes repeated attempts count once. */
export function useCreateSeries() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: ({ idempotencyKey, series }: { idempotencyKey: string; series: SeriesPayload }) =>
      api.POST("/bookings/series", {
        handled: [EMAIL_UNVERIFIED],
        body: series,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    onSuccess: (series) => {
      void queries.invalidateQueries({ queryKey: ["bookings"], predicate: ({ queryKey }) => queryKey[1] !== "hold" });
      queries.setQueryData(seriesQueryKey(series.id, userId), series);
      for (const booking of series.bookings) {
        queries.setQueryData(bookingQuery(userId, booking.id).queryKey, { ...booking, guru: series.guru });
      }
    },
  });
}

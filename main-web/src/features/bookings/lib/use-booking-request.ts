import { useCreateBooking, type BookingPayload } from "../api/create-booking";
import { useCreateSeries } from "../api/create-series";
import { keyOfAttempt } from "./booking-draft";

type Handlers = {
  /** Called with the id of the booking, for a series that of its first one. */
  onSuccess: (booked: { id: string }) => void;
  onError: (reason: Error) => void;
};

/** The request that books a hold, alone or with further sessions. */
export function useBookingRequest() {
  const book = useCreateBooking();
  const bookSeries = useCreateSeries();

  function reset() {
    book.reset();
    bookSeries.reset();
  }

  /** @param starts the further sessions of a series; none for a single booking */
  function send(booking: BookingPayload, starts: string[], handlers: Handlers) {
    const isSeries = starts.length > 0;
    const series = { ...booking, starts };
    const idempotencyKey = keyOfAttempt(JSON.stringify(isSeries ? series : booking));
    reset();
    if (isSeries) bookSeries.mutate({ idempotencyKey, series }, handlers);
    else book.mutate({ idempotencyKey, booking }, handlers);
  }

  return {
    error: book.error ?? bookSeries.error,
    isPending: book.isPending || bookSeries.isPending,
    reset,
    send,
  };
}

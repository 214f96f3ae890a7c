import { useCreateBooking, type BookingPayload } from "../api/create-booking";
import { useCreateSeries } from "../api/create-series";
import { keyOfAttempt } from "./booking-draft";
import type { Booking, Series } from "./types";

type Handlers = {
  /** Called with the booking; of a series, with the first one that has to be paid, or the first. */
  onSuccess: (booked: Booking) => void;
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
    const { onSuccess, onError } = handlers;
    if (isSeries)
      bookSeries.mutate({ idempotencyKey, series }, { onSuccess: (made) => onSuccess(firstOf(made)), onError });
    else book.mutate({ idempotencyKey, booking }, handlers);
  }

  return {
    error: book.error ?? bookSeries.error,
    // Afterwards the page is about to leave.
    isPending: book.isPending || bookSeries.isPending || book.isSuccess || bookSeries.isSuccess,
    reset,
    send,
  };
}

function firstOf({ id, bookings }: Series): Booking {
  const first = bookings.find(({ status }) => status === "held") ?? bookings[0];
  if (!first) throw new Error(`The series ${id} has no session.`);
  return first;
}

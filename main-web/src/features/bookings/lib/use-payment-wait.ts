import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { forgetHeldBooking } from "@/lib/held-booking";
import { useBooking } from "../api/get-booking";
import { owedStage } from "./kept-card-texts";
import { paidOf, paymentDeadline, paymentStage } from "./payment-texts";
import type { OwnBooking } from "./types";
import { useHasPassed } from "./use-deadline";
import { POLL_INTERVAL_MS } from "./poll-interval";

/** The result that Stripe's page adds to the page of the session that it leads back to. */
const RESULT = "payment";
const CLOSING_POLL_INTERVAL_MS = 5000;
const WAIT_MS = 3 * 60_000; // until people ask again themselves

/** Tell whether what is owed of a session that has ended is being paid, by a charge of the card or on Stripe's page. */
function isOwed(booking: OwnBooking): boolean {
  const stage = owedStage(booking);
  return stage !== null && stage !== "unpaid";
}

/** Tell whether a payment that was made may still arrive. */
function canArrive(booking: OwnBooking): boolean {
  if (isOwed(booking)) return true;
  const stage = paymentStage(booking);
  const isOpen = booking.payment?.state === "open" || booking.payment?.state === "opening";
  return stage !== null && (booking.status === "held" || (stage === "unpaid" && isOpen));
}

/**
 * Get a session of the user, and wait for its payment: until Stripe's page is open, until Stripe confirms a payment that
 * was made there, and until a page that has closed is settled.
 */
export function usePaymentWait(id: string) {
  const [search, setSearch] = useSearchParams();
  const isReturning = search.get(RESULT) === "done";
  const [since, setSince] = useState(Date.now);
  const isOver = useHasPassed(since + WAIT_MS);
  const [hasClosed, setHasClosed] = useState(false);
  const [isNew, setIsNew] = useState(false);
  const booking = useBooking(id, (data) => (data && !isOver ? intervalOf(data, isReturning, hasClosed) : false));
  const { data, dataUpdatedAt } = booking;
  const deadline = data ? paymentDeadline(data, dataUpdatedAt) : null;
  const hasEnded = useHasPassed(deadline);
  // The page of a held session may be open for longer than the wait for an answer.
  if (hasEnded !== hasClosed) {
    setHasClosed(hasEnded);
    if (hasEnded) setSince(Date.now());
  }
  const hasArrived = isReturning && data !== undefined && !canArrive(data);
  if (hasArrived && (paidOf(data) || data.payment?.state === "kept") && !isNew) setIsNew(true);

  // The address loses the result, so that a reload or a bookmark doesn't repeat it.
  useEffect(() => {
    if (!hasArrived) return;
    forgetHeldBooking();
    setSearch(
      (now) => {
        now.delete(RESULT);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [hasArrived, setSearch]);

  return {
    booking,
    deadline,
    /** The person paid and waits for Stripe to confirm it. */
    isConfirming: isReturning && data !== undefined && canArrive(data),
    /** The time to pay is over by this page's clock. */
    hasClosed,
    /** The page no longer asks by itself. */
    isOver,
    /** The payment arrived while the person waited for it here. */
    isNew,
    askAgain: () => {
      setSince(Date.now());
      void booking.refetch();
    },
  };
}

export type PaymentWait = ReturnType<typeof usePaymentWait>;

function intervalOf(booking: OwnBooking, isReturning: boolean, hasClosed: boolean): number | false {
  if (!canArrive(booking)) return false;
  const stage = paymentStage(booking);
  const owed = owedStage(booking);
  if (owed === "charging" || owed === "opening") return POLL_INTERVAL_MS;
  if (isReturning || stage === "opening") return POLL_INTERVAL_MS;
  return stage === "closing" || stage === "unpaid" || hasClosed ? CLOSING_POLL_INTERVAL_MS : false;
}

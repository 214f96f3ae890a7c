import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { bookPath } from "../lib/book-page-url";
import { useHasPassed } from "../lib/use-deadline";
import { useLiveHold } from "../lib/use-live-hold";
import { BookingFrame } from "./booking-frame";

/** The way back to a booking that began in this browser, or `children` once nothing is held any more. */
export function BackToBooking({ token, children }: { token: string; children: ReactNode }) {
  const { hold, deadline } = useLiveHold(token);
  const hasPassed = useHasPassed(deadline);
  if (hold.isPending) return <Skeleton height="11rem" radius="md" />;
  if (hold.isError || deadline === null || hasPassed) return <>{children}</>;
  return (
    <>
      <BookingFrame guru={hold.data.guru} session={{ ...hold.data, package: null }} deadline={deadline} />
      <Button asChild size="lg" block>
        <Link to={bookPath(token)}>Back to your booking</Link>
      </Button>
    </>
  );
}

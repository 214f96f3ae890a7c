import { lazy, Suspense, type ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";

// Loaded beside the forms: it must not delay them.
const load = () => import("@/features/bookings/contract");
const Held = lazy(async () => ({ default: (await load()).HeldTime }));
const Title = lazy(async () => ({ default: (await load()).HeldTitle }));
const Back = lazy(async () => ({ default: (await load()).BackToBooking }));

/** The time that waits for someone who signs in. */
export function HeldTime({ token }: { token: string }) {
  return (
    <Suspense fallback={<Skeleton height="11rem" radius="md" />}>
      <Held token={token} />
    </Suspense>
  );
}

/** A title that ends with what is being booked. */
export function HeldTitle({ token, children }: { token: string; children: string }) {
  return (
    <Suspense fallback={children}>
      <Title token={token}>{children}</Title>
    </Suspense>
  );
}

/** The way back to a booking that waits, or `children` once nothing is held any more. */
export function BackToBooking({ token, children }: { token: string; children: ReactNode }) {
  return (
    <Suspense fallback={<Skeleton height="11rem" radius="md" />}>
      <Back token={token}>{children}</Back>
    </Suspense>
  );
}

import { lazy, Suspense } from "react";
import { Skeleton } from "@/components/ui/skeleton";

const Held = lazy(async () => ({ default: (await import("@/features/bookings/contract")).HeldTime }));

/** The time that waits for someone who signs in, loaded beside the form: it must not delay it. */
export function HeldTime({ token }: { token: string }) {
  return (
    <Suspense fallback={<Skeleton height="7rem" radius="md" />}>
      <Held token={token} />
    </Suspense>
  );
}

import { Skeleton } from "@/components/ui/skeleton";
import { useLiveHold } from "../lib/use-live-hold";
import { BookingFrame } from "./booking-frame";

/** The time that is held for someone who signs in: what, with whom, when, for how much and for how long. */
export function HeldTime({ token }: { token: string }) {
  const { hold, deadline } = useLiveHold(token);
  if (hold.isPending) return <Skeleton height="11rem" radius="md" />;
  // Signing in goes on without it; the page of the booking says what became of the time.
  if (hold.isError) return null;
  const session = { ...hold.data, package: null };
  const hasPackage = hold.data.package !== null;
  return <BookingFrame guru={hold.data.guru} session={session} hasPackage={hasPackage} deadline={deadline} />;
}

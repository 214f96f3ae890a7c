import { Skeleton } from "@/components/ui/skeleton";
import { useHold } from "../api/get-hold";
import { BookingFrame } from "./booking-frame";

/** The time that is kept for someone who signs in: what, with whom, when, for how much and for how long. */
export function HeldTime({ token }: { token: string }) {
  const hold = useHold(token);
  if (hold.isPending) return <Skeleton height="11rem" radius="md" />;
  // Signing in goes on without it; the page of the booking says what became of the time.
  if (hold.isError) return null;
  const { guru, expiresAt, secondsLeft } = hold.data;
  const deadline = expiresAt === null ? null : hold.dataUpdatedAt + secondsLeft * 1000;
  const session = { ...hold.data, package: null };
  return <BookingFrame guru={guru} session={session} hasPackage={hold.data.package !== null} deadline={deadline} />;
}

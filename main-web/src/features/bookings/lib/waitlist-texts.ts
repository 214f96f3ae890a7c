import type { WaitlistEntry } from "./types";
import { formatClock, zoneName } from "@porchlight/shared/format/session-times";

/** Say which place someone has on a waitlist. */
export const positionText = (position: number) =>
  position === 1 ? "You're first in line." : `You're number ${position} in line.`;

/** Say until when free spots are kept for someone, in the guru's zone. */
export function offerText({
  offeredUntil,
  zone,
  party,
}: Pick<WaitlistEntry, "offeredUntil" | "zone" | "party">): string {
  const until = offeredUntil ?? "";
  const clock = `${formatClock(until, zone)} ${zoneName(until, zone)}`;
  return party === 1
    ? `A spot is free. It's yours until ${clock}.`
    : `${party} spots are free. They're yours until ${clock}.`;
}

/** Shown once a free spot is not kept any more. */
export const OFFER_ENDED = "The time for your free spot has passed, so it went to the next person.";

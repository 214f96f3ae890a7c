import { type WaiverLevel, WaiverModal, EMPTY_VALUES, type WaiverValues } from "@/features/waivers/contract";
import type { Booking } from "../lib/own-booking";

type SignSessionProps = {
  booking: Booking;
  /** The child for whom the user signs, null for themselves. */
  minor: string | null;
  initial?: WaiverValues;
  onSigned: () => void;
  onClose: (entered: WaiverValues) => void;
};

/** The waiver of a booked session, in a dialog. */
export function SignSession({ booking, minor, initial = EMPTY_VALUES, onSigned, onClose }: SignSessionProps) {
  return (
    <WaiverModal
      exchange={{
        id: `${booking.guruLabel}/${booking.serviceId}`,
        skill: `${booking.serviceName} with ${booking.guruName}`,
        category: "",
        activity: booking.serviceName,
      }}
      minimumLevel={booking.waiverLevel as WaiverLevel}
      mustSign
      role={minor === null ? { for: "self" } : { for: "minor", name: minor }}
      initial={initial}
      onSignIn={null}
      onAccepted={onSigned}
      onClose={onClose}
    />
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { WaiverLevel } from "@/components/waivers/levels";
import { ReceiptButton } from "@/components/waivers/receipt-button";
import { WaiverModal } from "@/components/waivers/waiver-modal";
import { EMPTY_VALUES } from "@/components/waivers/waiver-values";
import { toast } from "@/lib/toast-store";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "../api/get-own-bookings";
import type { Booking } from "../lib/own-booking";
import { DAY_MS, waiverDays } from "../lib/waiver-days";
import { formatLocalDate } from "@porchlight/shared/format/dates";

/**
 * The waiver of a session: due, with a button to sign it, or valid until a day with a link to its receipt. Nothing for
 * a session without one.
 */
export function WaiverState({ booking }: { booking: Booking }) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  const [now] = useState(Date.now);
  const [isOpen, setIsOpen] = useState(false);
  const [values, setValues] = useState(EMPTY_VALUES);
  if (!booking.waiverLevel) return null;
  const all = <Link to={paths.waivers}>See your waivers</Link>;
  if (!booking.waiverDue) {
    return (
      <Notice tone="success">
        <p>
          Your liability waiver is accepted
          {booking.waiverUntil && ` and valid until ${formatLocalDate(booking.waiverUntil)}`}. {all}
        </p>
        {booking.waiverId && <ReceiptButton waiverId={booking.waiverId} title={booking.serviceName} />}
      </Notice>
    );
  }
  // A waiver that is signed too early expires before the session again.
  const days = waiverDays(booking.waiverLevel);
  const canSign = Date.parse(booking.startsAt) < now + days * DAY_MS;
  return (
    <Notice tone="warning">
      <p>
        <strong>Waiver due.</strong>{" "}
        {booking.waiverUntil
          ? `Your waiver ${Date.parse(booking.waiverUntil) <= now ? "expired" : "expires"} on ${formatLocalDate(booking.waiverUntil)}, before this session.`
          : "This session needs a liability waiver."}{" "}
        {canSign ? "Please sign it." : `Please sign it in the ${days} days before the session.`} {all}
      </p>
      {canSign && (
        <Button size="sm" onClick={() => setIsOpen(true)}>
          Sign the waiver
        </Button>
      )}
      {isOpen && (
        <WaiverModal
          exchange={{
            id: `${booking.guruLabel}/${booking.serviceId}`,
            skill: `${booking.serviceName} with ${booking.guruName}`,
            category: "",
            activity: booking.serviceName,
          }}
          minimumLevel={booking.waiverLevel as WaiverLevel}
          mustSign
          initial={values}
          onSignIn={null}
          onAccepted={() => {
            setIsOpen(false);
            toast.success("Your waiver is signed.");
            void queries.invalidateQueries({ queryKey: ownBookingsKey(userId) });
          }}
          onClose={(entered) => {
            setIsOpen(false);
            setValues(entered);
          }}
        />
      )}
    </Notice>
  );
}

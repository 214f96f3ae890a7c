import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ReceiptButton, EMPTY_VALUES, type WaiverValues } from "@/features/waivers/contract";
import { toast } from "@/lib/toast-store";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "../api/get-own-bookings";
import type { Booking } from "../lib/own-booking";
import { reachesStart, waiverDays } from "../lib/waiver-days";
import { Signatures } from "./signatures";
import { SignSession } from "./sign-session";
import { formatLocalDate } from "@porchlight/shared/format/dates";

type Person = Booking["people"][number];

/**
 * The waivers of a session: who is covered, with a button to sign for oneself and one's children and links for others.
 * Nothing for a session without waivers.
 */
export function WaiverState({ booking }: { booking: Booking }) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  const [now] = useState(Date.now);
  const [signing, setSigning] = useState<Person | "booker" | null>(null);
  // By the child, "" for the user: what was confirmed for one person says nothing about another.
  const [entered, setEntered] = useState<Record<string, WaiverValues>>({});
  if (!booking.waiverLevel) return null;
  const isParty = booking.people.length > 1 || booking.people.some(({ signer }) => signer !== "self");
  const isOpen = booking.status === "requested" || booking.status === "confirmed";
  const all = <Link to={paths.waivers}>See your waivers</Link>;
  // A waiver that is signed too early expires before the session again.
  const days = waiverDays(booking.waiverLevel);
  const canSign = isOpen && reachesStart(booking, now);
  const waiting = booking.people.filter(({ covered }) => !covered);
  const minor = signing !== null && signing !== "booker" && signing.signer === "guardian" ? signing.name : null;
  // After the session, or once it is canceled, no waiver is due, also where one was never signed.
  if (!isOpen && waiting.length > 0) {
    return isParty ? (
      <Notice>
        <Signatures booking={booking} canSign={false} onSign={setSigning} />
      </Notice>
    ) : null;
  }
  return (
    <Notice tone={booking.waiverDue ? "warning" : "success"}>
      {!booking.waiverDue && (
        <p>
          {isParty ? "Everyone's liability waiver is signed" : "Your liability waiver is accepted"}
          {booking.waiverUntil && ` and valid until ${formatLocalDate(booking.waiverUntil)}`}. {all}
        </p>
      )}
      {booking.waiverDue && isParty && (
        <p>
          <strong>{waiting.length === 1 ? "1 waiver is missing." : `${waiting.length} waivers are missing.`}</strong>{" "}
          Everyone who takes part needs one that is valid when the session starts.{" "}
          {!canSign && `Please sign in the ${days} days before the session.`} {all}
        </p>
      )}
      {booking.waiverDue && !isParty && (
        <p>
          <strong>Waiver due.</strong>{" "}
          {booking.waiverUntil
            ? `Your waiver ${Date.parse(booking.waiverUntil) <= now ? "expired" : "expires"} on ${formatLocalDate(booking.waiverUntil)}, before this session.`
            : "This session needs a liability waiver."}{" "}
          {canSign ? "Please sign it." : `Please sign it in the ${days} days before the session.`} {all}
        </p>
      )}
      {isParty && <Signatures booking={booking} canSign={canSign} onSign={setSigning} />}
      {booking.waiverDue && !isParty && canSign && (
        <Button size="sm" onClick={() => setSigning("booker")}>
          Sign the waiver
        </Button>
      )}
      {!booking.waiverDue && booking.waiverId && (
        <ReceiptButton waiverId={booking.waiverId} title={booking.serviceName} />
      )}
      {signing !== null && (
        <SignSession
          booking={booking}
          minor={minor}
          initial={entered[minor ?? ""] ?? EMPTY_VALUES}
          onSigned={() => {
            setSigning(null);
            toast.success("Your waiver is signed.");
            void queries.invalidateQueries({ queryKey: ownBookingsKey(userId) });
          }}
          onClose={(values) => {
            setSigning(null);
            setEntered({ ...entered, [minor ?? ""]: values });
          }}
        />
      )}
    </Notice>
  );
}

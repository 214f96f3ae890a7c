import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/lib/toast-store";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "../api/get-own-bookings";
import type { Booking } from "../lib/own-booking";
import { sessionTime } from "../lib/session-texts";
import { SignSession } from "./sign-session";

/** After a move to a time that a waiver does not reach, or since when the risk has risen: sign a new one. */
export function SignMoved({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  const [signed, setSigned] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const waiting = booking.people.filter(({ signer, covered }) => signer !== "link" && !covered);
  const person = waiting[signed];
  const minor = person?.signer === "guardian" ? person.name : null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Your session is moved"
      description={`${booking.serviceName} with ${booking.guruName}, now ${sessionTime(booking).time}.`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Later
          </Button>
          <Button onClick={() => setIsOpen(true)}>{minor === null ? "Sign the waiver" : `Sign for ${minor}`}</Button>
        </>
      }
    >
      <p>
        {minor === null ? "It needs a new liability waiver." : `It needs a new liability waiver for ${minor}.`} Please
        sign it now, or later on the session&apos;s page.
      </p>
      {isOpen && (
        <SignSession
          booking={booking}
          minor={minor}
          onSigned={() => {
            setIsOpen(false);
            toast.success("Your waiver is signed.");
            void queries.invalidateQueries({ queryKey: ownBookingsKey(userId) });
            if (signed + 1 < waiting.length) setSigned(signed + 1);
            else onClose();
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Dialog>
  );
}

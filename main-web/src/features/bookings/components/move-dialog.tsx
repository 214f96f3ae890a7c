import { useState } from "react";
import { mayBeFree } from "@/components/times/may-be-free";
import { TimeChoice } from "@/components/times/time-choice";
import { useReloadSlots } from "@/components/times/get-slots";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/lib/toast-store";
import { useMoveBooking } from "../api/move-booking";
import { lateMoveTerms, moveTerms, sessionTime, sessionTimeFrom } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { canSignNow } from "../lib/waiver-days";
import { SignMoved } from "./sign-moved";
import styles from "./sessions.module.css";
import { TimeError } from "./time-error";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type MoveDialogProps = { booking: Booking; onClose: () => void };

/** Choose another free time of the service for a session. */
export function MoveDialog({ booking, onClose }: MoveDialogProps) {
  const move = useMoveBooking(booking.id);
  const reloadSlots = useReloadSlots(booking.guruLabel, booking.serviceId);
  const [start, setStart] = useState("");

  function submit() {
    move.mutate(
      { startsAt: start, termsDigest: booking.terms.digest },
      {
        onSuccess: (moved) => {
          toast.success(`Your session is moved to ${formatSessionStart(moved.startsAt, moved.zone)}.`);
          if (!canSignNow(moved)) onClose();
        },
        onError: (reason) => {
          if (mayBeFree(reason)) return;
          // Someone may have taken the time.
          setStart("");
          reloadSlots();
        },
      },
    );
  }

  if (move.data && canSignNow(move.data)) return <SignMoved booking={move.data} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Move this session"
      description={`${booking.serviceName} with ${booking.guruName}, now ${sessionTime(booking).time}. ${moveTerms(booking)}${lateMoveTerms(booking)}`}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this time
          </Button>
          <Button disabled={!start} loading={move.isPending} onClick={submit}>
            Move session
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {move.isError && <TimeError error={move.error} wanted={{ ...booking, startsAt: move.variables.startsAt }} />}
        <TimeChoice
          session={booking}
          guruLabel={booking.guruLabel}
          serviceId={booking.serviceId}
          start={start}
          onStartChange={setStart}
          none={`${booking.guruName} has no other free times right now.`}
        />
        <p aria-live="polite" className={styles.soft}>
          {start && <NewTime booking={booking} start={start} />}
          {start && booking.waiverUntil && Date.parse(start) >= Date.parse(booking.waiverUntil) && (
            <> It needs a new waiver, because yours ends on {formatLocalDate(booking.waiverUntil)}.</>
          )}
        </p>
      </div>
    </Dialog>
  );
}

function NewTime({ booking, start }: { booking: Booking; start: string }) {
  const { time, other } = sessionTimeFrom(booking, start);
  return `New time: ${time}${other && ` (${other})`}`;
}

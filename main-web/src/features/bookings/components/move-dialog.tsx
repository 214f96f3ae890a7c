import { useState } from "react";
import { fitting, moveLabel } from "@/components/rest/rest";
import { RestMoves } from "@/components/rest/rest-moves";
import { RestScope, type Scope } from "@/components/rest/rest-scope";
import { mayBeFree } from "@/components/times/may-be-free";
import { TimeChoice } from "@/components/times/time-choice";
import { useReloadSlots } from "@/components/times/get-slots";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/lib/toast-store";
import { useRest } from "../api/get-rest";
import { useMoveBooking } from "../api/move-booking";
import { useMoveRest } from "../api/move-rest";
import { lateMoveTerms, moveTerms, sessionTime, sessionTimeFrom } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { canSignNow } from "../lib/waiver-days";
import { SignMoved } from "./sign-moved";
import styles from "./sessions.module.css";
import { TimeError } from "./time-error";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type MoveDialogProps = { booking: Booking; onClose: () => void };

/** Choose another free time of the service for a session, or for it and those of its series that follow. */
export function MoveDialog({ booking, onClose }: MoveDialogProps) {
  const move = useMoveBooking(booking.id);
  const moveRest = useMoveRest(booking.id);
  const reloadSlots = useReloadSlots(booking.guruLabel, booking.serviceId);
  const [start, setStart] = useState("");
  const [scope, setScope] = useState<Scope>("this");
  const isSeries = booking.seriesId !== null;
  const rest = useRest(isSeries ? booking.id : null);
  const isRest = scope === "rest";
  const planned = useRest(isRest && start ? booking.id : null, start);
  const chosen = fitting(planned.data);

  const onError = (reason: Error) => {
    if (mayBeFree(reason)) return;
    // Someone may have taken the time.
    setStart("");
    reloadSlots();
  };

  function submit() {
    if (!isRest) {
      move.mutate(
        { startsAt: start, termsDigest: booking.terms.digest },
        {
          onSuccess: (moved) => {
            toast.success(`Your session is moved to ${formatSessionStart(moved.startsAt, moved.zone)}.`);
            if (!canSignNow(moved)) onClose();
          },
          onError,
        },
      );
      return;
    }
    if (!planned.data) return;
    moveRest.mutate(
      { startsAt: start, bookings: chosen.map(({ id }) => id), termsDigest: planned.data.digest },
      {
        onSuccess: () => {
          toast.success(chosen.length === 1 ? "Your session is moved." : `Your ${chosen.length} sessions are moved.`);
          onClose();
        },
        onError: reloadSlots,
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
          <Button
            disabled={!start || (isRest && chosen.length === 0)}
            loading={move.isPending || moveRest.isPending}
            onClick={submit}
          >
            {isRest ? moveLabel("Move", planned.data ?? rest.data) : "Move session"}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {!isRest && move.isError && (
          <TimeError error={move.error} wanted={{ ...booking, startsAt: move.variables.startsAt }} />
        )}
        {isRest && moveRest.isError && <TimeError error={moveRest.error} wanted={booking} />}
        {isSeries && <RestScope rest={rest} scope={scope} onChange={setScope} />}
        <TimeChoice
          session={booking}
          guruLabel={booking.guruLabel}
          serviceId={booking.serviceId}
          start={start}
          onStartChange={setStart}
          none={`${booking.guruName} has no other free times right now.`}
        />
        {isRest && start && <RestMoves rest={planned} />}
        {isRest && !start && <p className={styles.soft}>Choose the new time of this session. The others follow it.</p>}
        <p aria-live="polite" className={styles.soft}>
          {!isRest && start && <NewTime booking={booking} start={start} />}
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

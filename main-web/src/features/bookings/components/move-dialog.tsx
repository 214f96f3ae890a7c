import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/lib/toast-store";
import { fitting, moveLabel } from "../lib/following";
import { FollowingMoves } from "./following-moves";
import { FollowingScope, type Scope } from "./following-scope";
import { mayBeFree } from "../lib/may-be-free";
import { TimeChoice } from "./time-choice";
import { useReloadSlots } from "../api/get-slots";
import { useFollowing } from "../api/get-following";
import { useMoveBooking } from "../api/move-booking";
import { useMoveFollowing } from "../api/move-following";
import { lateMoveTerms, moveTerms, sessionTime, sessionTimeFrom } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { canSignNow } from "../lib/waiver-days";
import { SignMoved } from "./sign-moved";
import styles from "./sessions.module.css";
import { TimeError } from "./time-error";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** `link`: that of a customer without an account. */
type MoveDialogProps = { booking: Booking; link?: string; onClose: () => void };

/** Choose another free time of the service for a session, or for it and those of its series that follow. */
export function MoveDialog({ booking, link, onClose }: MoveDialogProps) {
  const move = useMoveBooking(booking.id, link);
  const moveFollowing = useMoveFollowing(booking.id);
  const reloadSlots = useReloadSlots(booking.guruLabel, booking.serviceId);
  const [start, setStart] = useState("");
  const [scope, setScope] = useState<Scope>("this");
  const isSeries = booking.seriesId !== null;
  const following = useFollowing(isSeries ? booking.id : null);
  const isFollowing = scope === "following";
  const planned = useFollowing(isFollowing && start ? booking.id : null, start);
  const chosen = fitting(planned.data);

  // A customer without an account signs with the personal link of a participant.
  const signsNow = (moved: Booking) => link === undefined && canSignNow(moved);
  const onError = (reason: Error) => {
    if (mayBeFree(reason)) return;
    // Someone may have taken the time.
    setStart("");
    reloadSlots();
  };

  function submit() {
    if (!isFollowing) {
      move.mutate(
        { startsAt: start, termsDigest: booking.terms.digest },
        {
          onSuccess: (moved) => {
            toast.success(`Your session is moved to ${formatSessionStart(moved.startsAt, moved.zone)}.`);
            if (!signsNow(moved)) onClose();
          },
          onError,
        },
      );
      return;
    }
    if (!planned.data) return;
    moveFollowing.mutate(
      { startsAt: start, bookings: chosen.map(({ id }) => id), termsDigest: planned.data.digest },
      {
        onSuccess: (moved) => {
          toast.success(chosen.length === 1 ? "Your session is moved." : `Your ${chosen.length} sessions are moved.`);
          if (!signsNow(moved)) onClose();
        },
        onError: reloadSlots,
      },
    );
  }

  const moved = move.data ?? moveFollowing.data;
  if (moved && signsNow(moved)) return <SignMoved booking={moved} onClose={onClose} />;
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
            disabled={!start || (isFollowing && chosen.length === 0)}
            loading={move.isPending || moveFollowing.isPending}
            onClick={submit}
          >
            {isFollowing ? moveLabel("Move", planned.data ?? following.data) : "Move session"}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {!isFollowing && move.isError && (
          <TimeError error={move.error} wanted={{ ...booking, startsAt: move.variables.startsAt }} />
        )}
        {isFollowing && moveFollowing.isError && <TimeError error={moveFollowing.error} wanted={booking} />}
        {isSeries && <FollowingScope following={following} scope={scope} onChange={setScope} />}
        <TimeChoice
          session={booking}
          guruLabel={booking.guruLabel}
          serviceId={booking.serviceId}
          start={start}
          onStartChange={setStart}
          none={`${booking.guruName} has no other free times right now.`}
        />
        {isFollowing && start && <FollowingMoves following={planned} />}
        {isFollowing && !start && (
          <p className={styles.soft}>Choose the new time of this session. The others follow it.</p>
        )}
        <p aria-live="polite" className={styles.soft}>
          {!isFollowing && start && <NewTime booking={booking} start={start} />}
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

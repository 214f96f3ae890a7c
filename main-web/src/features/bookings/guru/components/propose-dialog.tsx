import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useConsole } from "@/features/console/contract";
import { Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import { TimeChoice } from "../../components/time-choice";
import { mayBeFree } from "../../lib/may-be-free";
import { useReloadSlots } from "../../api/get-slots";
import { FollowingScope, type Scope } from "../../components/following-scope";
import { FollowingMoves } from "../../components/following-moves";
import { fitting, moveLabel } from "../../lib/following";
import type { GuruBooking } from "../lib/types";
import { useFollowing } from "../api/get-following";
import { useProposeMove } from "../api/propose-move";
import { useProposeFollowing } from "../api/propose-following";
import { formatSession } from "@porchlight/shared/format/session-times";

const MAX_REASON = 500;

/** Choose another free time for a booking or the rest of its series, and say why. What was typed stays. */
export function ProposeDialog({ booking, onClose }: { booking: GuruBooking; onClose: () => void }) {
  const { label } = useConsole();
  const person = personName(booking);
  const propose = useProposeMove(booking.id);
  const proposeFollowing = useProposeFollowing(booking.id);
  const reloadSlots = useReloadSlots(label, booking.serviceId);
  const [start, setStart] = useState("");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const [scope, setScope] = useState<Scope>("this");
  const isFollowing = scope === "following";
  const isRequest = booking.status === "requested";
  const action = isRequest ? "Suggest" : "Ask to move";
  const present = formatSession(booking.startsAt, booking.endsAt, booking.zone);
  const following = useFollowing(booking.seriesId === null ? null : booking.id);
  const planned = useFollowing(isFollowing && start ? booking.id : null, start);
  const chosen = fitting(planned.data);
  const error = isFollowing ? proposeFollowing.error : propose.error;

  function submit() {
    if (reason.trim() === "") {
      setProblem("Enter a reason");
      return;
    }
    const onSuccess = () => {
      toast.success(`We've asked ${person}.`);
      onClose();
    };
    if (isFollowing) {
      const bookings = chosen.map(({ id }) => id);
      proposeFollowing.mutate(
        { startsAt: start, bookings, reason: reason.trim() },
        { onSuccess, onError: reloadSlots },
      );
      return;
    }
    propose.mutate(
      { startsAt: start, reason: reason.trim() },
      {
        onSuccess,
        onError: (failure) => {
          if (mayBeFree(failure)) return;
          // Someone may have taken the time.
          setStart("");
          reloadSlots();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Propose another time"
      description={
        isRequest
          ? `${person} asked for ${present}. If they accept your time, they're booked. Until then, others can still book it.`
          : `${person} can accept it or cancel for free. Until then, the session stays at ${present}, and others can still book the new time.`
      }
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {isRequest ? "Back" : "Keep this time"}
          </Button>
          <Button
            disabled={!start || (isFollowing && chosen.length === 0)}
            loading={propose.isPending || proposeFollowing.isPending}
            onClick={submit}
          >
            {isFollowing ? moveLabel(action, planned.data ?? following.data) : action}
          </Button>
        </>
      }
    >
      <Stack>
        {error && <Notice tone="danger">{errorMessage(error)}</Notice>}
        {booking.seriesId !== null && <FollowingScope following={following} scope={scope} onChange={setScope} />}
        <TimeChoice
          session={booking}
          guruLabel={label}
          serviceId={booking.serviceId}
          start={start}
          onStartChange={setStart}
          none="You have no other free times right now. Add hours to offer more."
        />
        {isFollowing && start && <FollowingMoves following={planned} />}
        <Field label="Reason" hint="The neighbor will see this." error={problem || undefined}>
          <TextArea
            rows={3}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setProblem("");
            }}
          />
        </Field>
      </Stack>
    </Dialog>
  );
}

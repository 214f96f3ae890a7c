import { useState } from "react";
import { useReloadSlots } from "@/components/times/get-slots";
import { mayBeFree } from "@/components/times/may-be-free";
import { TimeChoice } from "@/components/times/time-choice";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useConsole } from "../../components/console-layout";
import shared from "../../components/console.module.css";
import { errorMessage } from "../../lib/labels";
import { personName } from "../../lib/person-name";
import type { GuruBooking } from "../../lib/types";
import { useProposeMove } from "../api/propose-move";
import { formatSession } from "@porchlight/shared/format/session-times";

const MAX_REASON = 500;

/** Choose another free time for a booking, and say why. What was typed stays after an error. */
export function ProposeDialog({ booking, onClose }: { booking: GuruBooking; onClose: () => void }) {
  const { label } = useConsole();
  const person = personName(booking);
  const propose = useProposeMove(booking.id);
  const reloadSlots = useReloadSlots(label, booking.serviceId);
  const [start, setStart] = useState("");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");

  function submit() {
    if (reason.trim() === "") {
      setProblem("Enter a reason");
      return;
    }
    propose.mutate(
      { startsAt: start, reason: reason.trim() },
      {
        onSuccess: () => {
          toast.success(`We've asked ${person}.`);
          onClose();
        },
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
      description={`${person} can accept it or cancel for free. Until then, the session stays at ${formatSession(booking.startsAt, booking.endsAt, booking.zone)}, and others can still book the new time.`}
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this time
          </Button>
          <Button disabled={!start} loading={propose.isPending} onClick={submit}>
            Ask to move
          </Button>
        </>
      }
    >
      <div className={shared.form}>
        {propose.error && <Notice tone="danger">{errorMessage(propose.error)}</Notice>}
        <TimeChoice
          session={booking}
          guruLabel={label}
          serviceId={booking.serviceId}
          start={start}
          onStartChange={setStart}
          none="You have no other free times right now. Add hours to offer more."
        />
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
      </div>
    </Dialog>
  );
}

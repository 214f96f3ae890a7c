import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { useSlots } from "../api/get-slots";
import { useMoveBooking } from "../api/move-booking";
import { daysOfSlots } from "../lib/slot-days";
import { moveTerms, sessionTime } from "../lib/own-session-texts";
import type { Booking } from "../lib/own-booking";
import styles from "./sessions.module.css";
import { TimeError } from "./time-error";
import {
  formatClock,
  formatSessionDay,
  formatSessionStart,
  localDay,
  zoneName,
} from "@porchlight/shared/format/session-times";

type MoveDialogProps = { booking: Booking; onClose: () => void };

/** Choose another free time of the service for a session. */
export function MoveDialog({ booking, onClose }: MoveDialogProps) {
  const move = useMoveBooking(booking.id);
  const [from, setFrom] = useState("");
  const [chosenDay, setChosenDay] = useState("");
  const [start, setStart] = useState("");
  const slots = useSlots(booking.guruLabel, booking.serviceId, from);
  const days = daysOfSlots(slots.data?.starts ?? [], booking);
  const day = days.find(({ date }) => date === chosenDay) ?? days[0];
  const selected = day?.starts.includes(start) ? start : "";

  function submit() {
    move.mutate(
      { startsAt: selected, termsDigest: booking.terms.digest },
      {
        onSuccess: (moved) => {
          toast.success(`Your session is moved to ${formatSessionStart(moved.startsAt, moved.zone)}.`);
          onClose();
        },
        // Someone may have taken the time.
        onError: () => void slots.refetch(),
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Move this session"
      description={`${booking.serviceName} with ${booking.guruName}, now ${sessionTime(booking).time}. ${moveTerms(booking)}`}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this time
          </Button>
          <Button disabled={!selected} loading={move.isPending} onClick={submit}>
            Move session
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {move.isError && <TimeError error={move.error} wanted={{ ...booking, startsAt: move.variables.startsAt }} />}
        {slots.isPending && (
          <div aria-busy="true">
            <p role="status" className={styles.soft}>
              Looking for times…
            </p>
            <Skeleton height="8rem" radius="md" />
          </div>
        )}
        {slots.isError && !slots.data && (
          <ErrorState
            title="We couldn't load the times."
            message={slots.error.message}
            onRetry={() => void slots.refetch()}
            retrying={slots.isFetching}
          />
        )}
        {slots.data && !day && (
          <p role="status">
            {slots.data.next
              ? `The next free time is ${formatSessionStart(slots.data.next.startsAt, booking.zone)}.`
              : `${booking.guruName} has no other free times right now.`}
          </p>
        )}
        {day && (
          <>
            <Field label="Day">
              <Select value={day.date} onChange={(event) => setChosenDay(event.target.value)}>
                {days.map(({ date, starts: [first = ""] }) => (
                  <option key={date} value={date}>
                    {formatSessionDay(first, booking.zone)}
                  </option>
                ))}
              </Select>
            </Field>
            <fieldset className={styles.times}>
              <legend>Time ({zoneName(day.starts[0] ?? "", booking.zone)})</legend>
              {day.starts.map((each) => (
                <label key={each} className={styles.time}>
                  <input
                    type="radio"
                    name="start"
                    value={each}
                    checked={each === selected}
                    onChange={() => setStart(each)}
                  />
                  <span>{formatClock(each, booking.zone)}</span>
                </label>
              ))}
            </fieldset>
            <p aria-live="polite" className={styles.soft}>
              {selected && <NewTime booking={booking} start={selected} />}
            </p>
          </>
        )}
        {slots.data?.next && !day && from === "" && (
          <Button variant="secondary" onClick={() => setFrom(localDay(slots.data.next?.startsAt ?? "", booking.zone))}>
            See these times
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function NewTime({ booking, start }: { booking: Booking; start: string }) {
  const length = Date.parse(booking.endsAt) - Date.parse(booking.startsAt);
  const endsAt = new Date(Date.parse(start) + length).toISOString();
  const { time, other } = sessionTime({ ...booking, startsAt: start, endsAt });
  return `New time: ${time}${other && ` (${other})`}`;
}

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/toast-store";
import { RowButtons } from "@/components/ui/data-list";
import { ButtonRow } from "@/components/ui/stack";
import { useConsole } from "@/features/console/contract";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import type { GuruBooking } from "../lib/types";
import { useAnswerBooking } from "../api/answer-booking";
import { useRecordAttendance } from "../api/record-attendance";
import { CancelDialog } from "./cancel-dialog";
import { PlaceDialog } from "./place-dialog";
import { ProposeDialog } from "./propose-dialog";
import { ReasonDialog } from "./reason-dialog";

type BookingActionsProps = {
  booking: GuruBooking;
  /** Whether the buttons are at the end of a row of a list. */
  inRow?: boolean;
};

/** What the guru can do with a booking now. */
export function BookingActions({ booking, inRow = false }: BookingActionsProps) {
  const { id, serviceName } = booking;
  const person = personName(booking);
  const { status } = useConsole();
  const answer = useAnswerBooking(id);
  const attendance = useRecordAttendance(id);
  const [asking, setAsking] = useState<"decline" | "decline series" | "cancel" | "move" | "place" | null>(null);
  const isSeries = booking.seriesId !== null;
  const asksForSeries = asking === "decline series";
  const isMissed = booking.status === "missed";
  const Buttons = inRow ? RowButtons : ButtonRow;

  async function run(change: () => Promise<unknown>, done: string, showsError = true) {
    try {
      await change();
      setAsking(null);
      toast.success(done);
    } catch (reason) {
      if (showsError) toast.error(errorMessage(reason));
    }
  }

  const accept = (wholeSeries: boolean) =>
    run(() => answer.mutateAsync({ accept: true, reason: "", wholeSeries }), "Accepted.");

  return (
    <Buttons>
      {booking.canAnswer && (
        <>
          <Button
            aria-label={`Accept ${person}`}
            loading={answer.isPending && asking === null}
            onClick={() => void accept(false)}
          >
            Accept
          </Button>
          {isSeries && (
            <Button
              aria-label={`Accept series of ${person}`}
              loading={answer.isPending && asking === null}
              onClick={() => void accept(true)}
            >
              Accept series
            </Button>
          )}
          <Button variant="secondary" aria-label={`Decline ${person}`} onClick={() => setAsking("decline")}>
            Decline
          </Button>
          {isSeries && (
            <Button
              variant="secondary"
              aria-label={`Decline series of ${person}`}
              onClick={() => setAsking("decline series")}
            >
              Decline series
            </Button>
          )}
        </>
      )}
      {booking.canPropose && status === "active" && (
        <Button
          variant="secondary"
          aria-label={inRow ? `Propose another time to ${person}` : undefined}
          onClick={() => setAsking("move")}
        >
          Propose another time
        </Button>
      )}
      {booking.canChangePlace && status === "active" && (
        <Button variant="secondary" onClick={() => setAsking("place")}>
          Change the place
        </Button>
      )}
      {booking.canCancel && (
        <Button variant="ghost" onClick={() => setAsking("cancel")}>
          Cancel session
        </Button>
      )}
      {booking.canMarkMissed && (
        <Button
          variant="secondary"
          loading={attendance.isPending}
          onClick={() =>
            void run(
              () => attendance.mutateAsync(!isMissed),
              isMissed ? "Undone." : `Recorded that ${person} did not come.`,
            )
          }
        >
          {isMissed ? "Undo “Did not come”" : "Did not come"}
        </Button>
      )}
      {asking === "place" && <PlaceDialog booking={booking} onClose={() => setAsking(null)} />}
      {asking === "move" && <ProposeDialog booking={booking} onClose={() => setAsking(null)} />}
      {(asking === "decline" || asksForSeries) && (
        <ReasonDialog
          title={asksForSeries ? `Decline ${person}'s series?` : `Decline ${person}'s request?`}
          text={`We'll tell them that you can't do ${serviceName} at ${asksForSeries ? "those times" : "that time"}.`}
          action="Decline"
          required={false}
          busy={answer.isPending}
          error={answer.error}
          onConfirm={(reason) =>
            void run(
              () => answer.mutateAsync({ accept: false, reason, wholeSeries: asksForSeries }),
              "Declined.",
              false,
            )
          }
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "cancel" && <CancelDialog booking={booking} onClose={() => setAsking(null)} />}
    </Buttons>
  );
}

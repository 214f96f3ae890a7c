import { useState } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/toast-store";
import shared from "../../components/console.module.css";
import { errorMessage } from "../../lib/labels";
import type { GuruBooking } from "../../lib/types";
import { useAnswerBooking } from "../api/answer-booking";
import { useCancelBooking } from "../api/cancel-booking";
import { useRecordAttendance } from "../api/record-attendance";
import { ReasonDialog } from "./reason-dialog";

/** What the guru can do with a booking now. */
export function BookingActions({ booking }: { booking: GuruBooking }) {
  const { id, personName, serviceName } = booking;
  const answer = useAnswerBooking(id);
  const cancel = useCancelBooking(id);
  const attendance = useRecordAttendance(id);
  const [asking, setAsking] = useState<"decline" | "decline series" | "cancel" | null>(null);
  const isSeries = booking.seriesId !== null;
  const asksForSeries = asking === "decline series";
  const isMissed = booking.status === "missed";

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
    <div className={shared.buttons}>
      {booking.canAnswer && (
        <>
          <Button
            aria-label={`Accept ${personName}`}
            loading={answer.isPending && asking === null}
            onClick={() => void accept(false)}
          >
            Accept
          </Button>
          {isSeries && (
            <Button
              aria-label={`Accept series of ${personName}`}
              loading={answer.isPending && asking === null}
              onClick={() => void accept(true)}
            >
              Accept series
            </Button>
          )}
          <Button variant="secondary" aria-label={`Decline ${personName}`} onClick={() => setAsking("decline")}>
            Decline
          </Button>
          {isSeries && (
            <Button
              variant="secondary"
              aria-label={`Decline series of ${personName}`}
              onClick={() => setAsking("decline series")}
            >
              Decline series
            </Button>
          )}
        </>
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
              isMissed ? "Undone." : `Recorded that ${personName} did not come.`,
            )
          }
        >
          {isMissed ? "Undo “Did not come”" : "Did not come"}
        </Button>
      )}
      {(asking === "decline" || asksForSeries) && (
        <ReasonDialog
          title={asksForSeries ? `Decline ${personName}'s series?` : `Decline ${personName}'s request?`}
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
      {asking === "cancel" && (
        <ReasonDialog
          title={`Cancel ${personName}'s session?`}
          text="They owe nothing, and we'll email them your reason."
          action="Cancel session"
          required
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={(reason) => void run(() => cancel.mutateAsync(reason), "Canceled. We've told them.", false)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

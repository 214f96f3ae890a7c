import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Hint } from "@/components/ui/hint";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { personName } from "@/lib/person-name";
import { toast } from "@/lib/toast-store";
import { useCancelSession } from "../api/cancel-session";
import { ReasonDialog } from "../components/reason-dialog";
import type { GuruSession } from "../lib/types";
import { moveRefusal, sentBookings } from "./events";
import styles from "./week.module.css";
import { formatSession } from "@porchlight/shared/format/session-times";
import { pluralize } from "@porchlight/shared/format/numbers";

type SessionDialogProps = {
  session: GuruSession;
  zone: string;
  onOpen: (bookingId: string) => void;
  onClose: () => void;
};

/** A session for several people: who comes, and what can be done with all of them. */
export function SessionDialog({ session, zone, onOpen, onClose }: SessionDialogProps) {
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = useCancelSession(session.id);
  const people = sentBookings(session);
  const refusal = moveRefusal(session);

  async function cancelAll(reason: string) {
    try {
      await cancel.mutateAsync(reason);
      toast.success("Canceled. We've told everyone.");
      onClose();
    } catch {
      // The error is shown in the dialog.
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={session.serviceName || "Session"}
      description={formatSession(session.startsAt, session.endsAt, zone)}
      startsAt="top"
    >
      <Stack>
        <p>
          {session.taken} of {pluralize(session.capacity, "spot")} taken
          {session.waiting > 0 && `, ${session.waiting} waiting`}
        </p>
        {people.length > 0 && (
          <ul className={styles.people} aria-label="Who comes">
            {people.map((booking) => (
              <li key={booking.id}>
                <Button variant="secondary" className={styles.person} onClick={() => onOpen(booking.id)}>
                  <span>{personName(booking)}</span>
                  {booking.status === "requested" && <span> (request)</span>}
                  {booking.proposal && <span> – new time proposed</span>}
                  {booking.waiverDue && <span> – waiver due</span>}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {refusal ? <Hint>{refusal}</Hint> : <Hint>To ask everyone to move, drag the session to another time.</Hint>}
        {people.some(({ canCancel }) => canCancel) && (
          <ButtonRow>
            <Button variant="ghost" onClick={() => setIsCanceling(true)}>
              Cancel for everyone
            </Button>
          </ButtonRow>
        )}
      </Stack>
      {isCanceling && (
        <ReasonDialog
          title="Cancel this session for everyone?"
          text="It's free for everyone, and we'll email them your reason."
          action="Cancel for everyone"
          required
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={(reason) => void cancelAll(reason)}
          onClose={() => setIsCanceling(false)}
        />
      )}
    </Dialog>
  );
}

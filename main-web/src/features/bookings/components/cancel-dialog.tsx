import { useState } from "react";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useCancelBooking } from "../api/cancel-booking";
import type { Booking } from "../lib/own-booking";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

const MAX_REASON = 500;

type CancelDialogProps = { booking: Booking; onClose: () => void };

/** Ask before canceling a session or withdrawing a request. It shows the cost by the latest terms. */
export function CancelDialog({ booking, onClose }: CancelDialogProps) {
  const cancel = useCancelBooking(booking.id);
  const [reason, setReason] = useState("");
  const isRequest = booking.status === "requested";
  const what = isRequest ? "request" : "session";

  function confirm() {
    cancel.mutate(
      { termsDigest: booking.terms.digest, reason: reason.trim() },
      {
        onSuccess: () => {
          toast.success(isRequest ? "Your request is withdrawn." : "Your session is canceled.");
          onClose();
        },
      },
    );
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={isRequest ? "Withdraw this request?" : "Cancel this session?"}
      action={isRequest ? "Withdraw request" : "Cancel session"}
      cancel={`Keep ${what}`}
      busy={cancel.isPending}
      onConfirm={confirm}
      description={`${booking.serviceName} with ${booking.guruName}. ${costText(booking)}`}
    >
      {cancel.isError && <Notice tone="danger">{cancel.error.message}</Notice>}
      <Field label={`Reason for ${booking.guruName}`} optional>
        <TextArea rows={3} maxLength={MAX_REASON} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Confirm>
  );
}

/** Say what canceling now costs. */
function costText({ status, terms, policy, zone, currency }: Booking): string {
  if (status === "requested") return "It costs nothing.";
  if (terms.owedCents > 0) return `You owe ${formatMoney(terms.owedCents, currency)} if you cancel now.`;
  return terms.freeUntil && policy.latePercent > 0
    ? `It's free until ${formatSessionStart(terms.freeUntil, zone)}.`
    : "It's free.";
}

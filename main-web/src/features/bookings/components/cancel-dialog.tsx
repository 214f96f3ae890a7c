import { useState } from "react";
import { Confirm } from "@/components/ui/confirm";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { FollowingScope, type Scope } from "./following-scope";
import { useCancelBooking } from "../api/cancel-booking";
import { useCancelFollowing } from "../api/cancel-following";
import { useFollowing } from "../api/get-following";
import type { Following } from "../lib/following";
import type { Booking } from "../lib/own-booking";
import { returnText } from "../lib/payment-texts";
import { cancelingNow } from "../lib/session-texts";
import styles from "./sessions.module.css";
import { formatCents, formatMoney } from "@porchlight/shared/format/money";
import { formatCancelingNow } from "@porchlight/shared/format/session-terms";

const MAX_REASON = 500;

/** `link`: that of a customer without an account. */
type CancelDialogProps = { booking: Booking; link?: string; onClose: () => void };

/** Ask before canceling a session or the rest of its series, or withdrawing a request. It shows the latest cost. */
export function CancelDialog({ booking, link, onClose }: CancelDialogProps) {
  const cancel = useCancelBooking(booking.id, link);
  const cancelFollowing = useCancelFollowing(booking.id);
  const following = useFollowing(booking.seriesId === null ? null : booking.id);
  const [scope, setScope] = useState<Scope>("this");
  const [reason, setReason] = useState("");
  const isRequest = booking.status === "requested";
  const what = isRequest ? "request" : "session";
  const all = scope === "following" ? following.data : undefined;
  const count = all?.sessions.length ?? 1;
  const error = all ? cancelFollowing.error : cancel.error;

  function confirm() {
    const options = {
      onSuccess: () => {
        if (all) toast.success(`Your ${count} ${what}s are ${isRequest ? "withdrawn" : "canceled"}.`);
        else toast.success(isRequest ? "Your request is withdrawn." : "Your session is canceled.");
        onClose();
      },
    };
    if (all) cancelFollowing.mutate({ termsDigest: all.digest, reason: reason.trim() }, options);
    else cancel.mutate({ termsDigest: booking.terms.digest, reason: reason.trim() }, options);
  }

  const cost = all ? totalCost(all, isRequest, booking.guruName) : cancelingNow(booking);
  const sessions = all ? `${count} sessions of ${booking.serviceName}` : booking.serviceName;
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        isRequest
          ? `Withdraw ${all ? `these ${count} requests` : "this request"}?`
          : `Cancel ${all ? `these ${count} sessions` : "this session"}?`
      }
      action={
        isRequest
          ? `Withdraw ${all ? `${count} requests` : "request"}`
          : `Cancel ${all ? `${count} sessions` : "session"}`
      }
      cancel={`Keep ${what}${all ? "s" : ""}`}
      busy={cancel.isPending || cancelFollowing.isPending}
      onConfirm={confirm}
      description={`${sessions} with ${booking.guruName}. ${cost}`}
    >
      <div className={styles.form}>
        {error && <Notice tone="danger">{error.message}</Notice>}
        {booking.seriesId !== null && <FollowingScope following={following} scope={scope} onChange={setScope} />}
        <Field label={`Reason for ${booking.guruName}`} optional>
          <TextArea
            rows={3}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </div>
    </Confirm>
  );
}

/** What canceling the rest of a series costs, or returns. Some of its sessions may be requests, and one booked may cost. */
function totalCost({ sessions, owedCents, currency }: Following, isRequest: boolean, guruName: string): string {
  const paid = sessions.flatMap(({ refundCents, staysCents, restCents }) =>
    refundCents === null ? [] : [{ refundCents, stays: staysCents ?? 0, rest: restCents ?? 0 }],
  );
  if (paid.length > 0) {
    const sum = (amounts: number[]) => amounts.reduce((total, one) => total + one, 0);
    const stays = sum(paid.map(({ stays: one }) => one));
    const rest = sum(paid.map(({ rest: one }) => one));
    const more = rest > 0 ? ` You owe ${formatCents(rest)} more, which you settle with ${guruName}.` : "";
    return returnText(sum(paid.map(({ refundCents }) => refundCents)), stays, guruName, true) + more;
  }
  const charges = sessions.reduce((total, { chargeCents }) => total + (chargeCents ?? 0), 0);
  if (charges > 0) {
    return `Your card will be charged ${formatCents(charges)} in total.`;
  }
  const cost = {
    isRequest: isRequest && owedCents === 0,
    freeUntil: "",
    owed: owedCents > 0 ? formatMoney(owedCents, currency) : "",
    late: "",
    package: "",
  } as const;
  return formatCancelingNow(cost, sessions.length);
}

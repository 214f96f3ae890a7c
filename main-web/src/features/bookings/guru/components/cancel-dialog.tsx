import { useState } from "react";
import { toast } from "@/lib/toast-store";
import { personName } from "@/lib/person-name";
import { FollowingScope, type Scope } from "../../components/following-scope";
import type { GuruBooking } from "../lib/types";
import { useCancelBooking } from "../api/cancel-booking";
import { useCancelFollowing } from "../api/cancel-following";
import { useFollowing } from "../api/get-following";
import { ReasonDialog } from "./reason-dialog";

/** Ask for the reason before a booking, or the rest of its series, is canceled. */
export function CancelDialog({ booking, onClose }: { booking: GuruBooking; onClose: () => void }) {
  const person = personName(booking);
  const cancel = useCancelBooking(booking.id);
  const cancelFollowing = useCancelFollowing(booking.id);
  const following = useFollowing(booking.seriesId === null ? null : booking.id);
  const [scope, setScope] = useState<Scope>("this");
  const change = scope === "following" ? cancelFollowing : cancel;
  const count = following.data?.sessions.length ?? 0;

  // The canceled booking may leave the list, and this dialog with it, before callbacks of the mutation would run.
  async function confirm(reason: string) {
    try {
      await change.mutateAsync(reason);
    } catch {
      return; // the dialog shows it
    }
    toast.success("Canceled. We've told them.");
    onClose();
  }

  return (
    <ReasonDialog
      title={scope === "following" ? `Cancel ${count} sessions of ${person}?` : `Cancel ${person}'s session?`}
      text="They owe nothing, and we'll email them your reason."
      action={scope === "following" ? `Cancel ${count} sessions` : "Cancel session"}
      required
      busy={change.isPending}
      error={change.error}
      onConfirm={(reason) => void confirm(reason)}
      onClose={onClose}
    >
      {booking.seriesId !== null && <FollowingScope following={following} scope={scope} onChange={setScope} />}
    </ReasonDialog>
  );
}

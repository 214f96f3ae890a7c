import { onSettled } from "@/lib/on-settled";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/lib/toast-store";
import { ReasonForm } from "@/features/admin/contract";
import { SessionReview } from "../../components/session-review";
import type { StaffReview } from "../api/get-reviews";
import { useRemoveReview } from "../api/remove-review";
import { formatDate } from "@porchlight/shared/format/dates";

const MAX_REASON = 300;

/** A review, and its removal with a reason. */
export function ReviewDialog({ review, onClose }: { review: StaffReview; onClose: () => void }) {
  const remove = useRemoveReview(review.id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={review.side === "person" ? `A neighbor about ${review.guruName}` : `${review.guruName} about a neighbor`}
      width={520}
    >
      <SessionReview
        {...review}
        privateNote=""
        caption={`${review.serviceName} · ${formatDate(review.publishedAt)}`}
        replyBy="Reply"
      />
      {review.removedWhy === "" && (
        <ReasonForm
          submitLabel="Remove review"
          maxLength={MAX_REASON}
          danger
          pending={remove.isPending}
          error={remove.error?.message}
          onSubmit={(reason) =>
            onSettled(remove.mutateAsync(reason), () => {
              toast.success("Review removed.");
              onClose();
            })
          }
          onCancel={onClose}
        >
          <p>The words and the stars disappear. Everyone reads your reason in their place.</p>
        </ReasonForm>
      )}
    </Dialog>
  );
}

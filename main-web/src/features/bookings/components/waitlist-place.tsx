import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useLeaveWaitlist } from "../api/leave-waitlist";
import { useOpenOffer } from "../api/open-offer";
import { bookPath } from "../lib/book-page-url";
import type { WaitlistEntry } from "../lib/types";
import { offerText, positionText } from "../lib/waitlist-texts";
import styles from "./book-page.module.css";
import sessions from "./sessions.module.css";

/** The user's place on a waitlist, or the spot that was offered to them. */
export function WaitlistPlace({ entry }: { entry: WaitlistEntry }) {
  const navigate = useNavigate();
  const [isLeaving, setIsLeaving] = useState(false);
  const take = useOpenOffer(entry.id);
  const isOffered = entry.status === "offered";
  return (
    <Card as="section" className={styles.step} aria-label="Your place">
      <p role="status" className={styles.stepTitle}>
        <strong>{isOffered ? offerText(entry) : positionText(entry.position ?? 1)}</strong>
      </p>
      <p>
        {isOffered
          ? "After that, it goes to the next person on the waitlist."
          : "We'll email you when a spot is free, and hold it for up to two hours."}
      </p>
      {take.isError && <Notice tone="danger">{take.error.message}</Notice>}
      <div className={sessions.buttons}>
        {isOffered && (
          <Button
            size="lg"
            loading={take.isPending}
            onClick={() => take.mutate(undefined, { onSuccess: ({ token }) => void navigate(bookPath(token)) })}
          >
            Take the spot
          </Button>
        )}
        <Button variant="secondary" size={isOffered ? "lg" : "md"} onClick={() => setIsLeaving(true)}>
          {isOffered ? "No, thanks" : "Leave the waitlist"}
        </Button>
      </div>
      {isLeaving && <LeaveDialog entry={entry} onClose={() => setIsLeaving(false)} />}
    </Card>
  );
}

/** Ask before a place or a free spot is given up. */
function LeaveDialog({ entry, onClose }: { entry: WaitlistEntry; onClose: () => void }) {
  const navigate = useNavigate();
  const leave = useLeaveWaitlist(entry.id);
  const isOffered = entry.status === "offered";

  async function confirm() {
    try {
      await leave.mutateAsync();
    } catch {
      return; // the notice shows it
    }
    // Also if the place is gone from the page by now, unlike the callbacks of `mutate`.
    toast.success(isOffered ? "Thanks. The next person can have it." : "You left the waitlist.");
    void navigate(paths.sessions);
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={isOffered ? "Give up this spot?" : "Leave the waitlist?"}
      description={isOffered ? "It goes to the next person on the waitlist." : "You lose your place in line."}
      action={isOffered ? "Give up the spot" : "Leave the waitlist"}
      cancel={isOffered ? "Keep it" : "Stay"}
      busy={leave.isPending}
      onConfirm={() => void confirm()}
    >
      {leave.isError && <Notice tone="danger">{leave.error.message}</Notice>}
    </Confirm>
  );
}

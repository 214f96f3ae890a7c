import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { cx } from "@/lib/cx";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { deletePending, savePending, type Pending } from "../lib/outbox";
import { sendOutbox } from "../lib/send-outbox";
import { refreshMessages } from "../lib/live";
import styles from "./bubble.module.css";
import { MessageBody } from "./message-body";
import { MessageFiles } from "./message-files";

function watchConnection(notify: () => void) {
  window.addEventListener("online", notify);
  window.addEventListener("offline", notify);
  return () => {
    window.removeEventListener("online", notify);
    window.removeEventListener("offline", notify);
  };
}

type PendingBubbleProps = {
  message: Pending;
  /** Takes the text and files back into the composer. */
  onEdit: () => void;
};

/** An own message on its way: being sent, waiting for a connection, or not sent with what to do. */
export function PendingBubble({ message, onEdit }: PendingBubbleProps) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine);

  async function tryAgain() {
    savePending(userId, { ...message, state: "waiting", reason: "" });
    await sendOutbox(userId, queries);
    refreshMessages();
  }

  return (
    <div className={cx(styles.row, styles.own, styles.pending)}>
      <span className="visually-hidden">You:</span>
      <div className={styles.line}>
        <div className={styles.content}>
          <MessageFiles files={message.files} />
          {message.body && <MessageBody body={message.body} />}
        </div>
      </div>
      <div className={cx(styles.state, message.state !== "waiting" && isOnline && styles.failed)} role="status">
        {!isOnline && message.state !== "refused" && "Not sent yet. It goes out when you're back online."}
        {isOnline && message.state === "waiting" && "Sending"}
        {isOnline && message.state === "failed" && (
          <button type="button" className={styles.stateButton} onClick={() => void tryAgain()}>
            Not sent. Tap to try again.
          </button>
        )}
        {message.state === "refused" && (
          <>
            <span>Not sent. {message.reason}</span>
            <button type="button" className={styles.stateButton} onClick={() => void tryAgain()}>
              Try again
            </button>
            <button type="button" className={styles.stateButton} onClick={onEdit}>
              Edit
            </button>
          </>
        )}
        {message.state !== "waiting" && (
          <button type="button" className={styles.stateButton} onClick={() => deletePending(userId, message.key)}>
            Delete
          </button>
        )}
      </div>
    </div>
  );
}

import { useState } from "react";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { useUpdateThread, type ThreadChange } from "../api/update-thread";
import { shortName } from "../lib/texts";
import type { ThreadCard } from "../lib/types";
import { BlockDialog } from "./block-dialog";
import styles from "./thread-bars.module.css";

/** The first message of another user: take it into the inbox, put it away, or block. Answering accepts it, too. */
export function RequestBar({ thread }: { thread: ThreadCard }) {
  const update = useUpdateThread(thread);
  const [isBlocking, setIsBlocking] = useState(false);
  const name = shortName(thread);

  async function change(next: ThreadChange, done: string) {
    try {
      await update.mutateAsync(next);
      // Said also if this bar is gone by now, unlike the callbacks of `mutate`.
      toast.success(done);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <section className={styles.bar} aria-label="Request">
      <p>
        <strong>{name} would like to write to you.</strong> Accept or answer to move this to your inbox. They don't see
        that you've read it.
      </p>
      <div className={styles.actions}>
        <Button
          size="sm"
          loading={update.isPending && update.variables === "accept"}
          onClick={() => void change("accept", "Moved to your inbox.")}
        >
          Accept
        </Button>
        {!thread.archived && (
          <Button
            size="sm"
            variant="secondary"
            loading={update.isPending && update.variables === "archive"}
            onClick={() => void change("archive", "Declined. It's in your archive.")}
          >
            Decline
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={() => setIsBlocking(true)}>
          Block
        </Button>
      </div>
      {isBlocking && <BlockDialog thread={thread} onClose={() => setIsBlocking(false)} />}
    </section>
  );
}

/** Shown instead of the composer: why nothing can be written. */
export function CannotWrite({ thread }: { thread: ThreadCard }) {
  const update = useUpdateThread(thread);
  const isBlocked = thread.blocked === "by_me";
  return (
    <div className={styles.bar}>
      <p>{isBlocked ? `You blocked ${shortName(thread)}.` : thread.refusal}</p>
      {isBlocked && (
        <div className={styles.actions}>
          <Button
            size="sm"
            variant="secondary"
            loading={update.isPending}
            onClick={() => update.mutate("unblock", { onError: (error) => toast.error(error.message) })}
          >
            Unblock
          </Button>
        </div>
      )}
    </div>
  );
}

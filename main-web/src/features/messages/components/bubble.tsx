import { Copy, Ellipsis, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "@/lib/toast-store";
import { cx } from "@/lib/cx";
import { Confirm } from "@/components/ui/confirm";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useDeleteMessage } from "../api/delete-message";
import type { Message } from "../lib/types";
import styles from "./bubble.module.css";
import { MessageBody } from "./message-body";
import { MessageFiles } from "./message-files";
import { formatLocalClock, formatTimestamp } from "@porchlight/shared/format/dates";

type BubbleProps = {
  message: Message;
  /** The writer's name, for screen readers. */
  from: string;
  startsGroup: boolean;
  /** The time is below the last one of a group. */
  endsGroup: boolean;
  /** Below the newest message: "Sent". */
  isSentLast: boolean;
};

/** A message of one side, with its time and, on own ones, a menu. */
export function Bubble({ message, from, startsGroup, endsGroup, isSentLast }: BubbleProps) {
  const { mine, removed, body, files, at } = message;
  return (
    <div className={cx(styles.row, mine && styles.own, startsGroup && styles.start)}>
      <span className="visually-hidden">{mine ? "You:" : `${from}:`}</span>
      <div className={styles.line}>
        {removed ? (
          <p className={styles.removed}>Message removed</p>
        ) : (
          <div className={styles.content}>
            <MessageFiles files={files} />
            {body && <MessageBody body={body} />}
          </div>
        )}
        {mine && !removed && <OwnMenu message={message} />}
      </div>
      <p className={endsGroup ? styles.meta : "visually-hidden"}>
        <time dateTime={at} title={formatTimestamp(at)}>
          {formatLocalClock(at)}
        </time>
        {isSentLast && !removed && <span> · Sent</span>}
      </p>
    </div>
  );
}

function OwnMenu({ message }: { message: Message }) {
  const remove = useDeleteMessage();
  const [isAsking, setIsAsking] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(message.body);
      toast.success("Copied");
    } catch {
      toast.error("Your browser didn't let us copy. Select the text instead.");
    }
  }

  return (
    <>
      <Menu
        label="Message"
        trigger={
          <button type="button" className={styles.more} aria-label="Message options">
            <Ellipsis size={16} aria-hidden="true" />
          </button>
        }
      >
        {message.body && (
          <MenuItem icon={Copy} onSelect={() => void copy()}>
            Copy text
          </MenuItem>
        )}
        <MenuItem icon={Trash2} onSelect={() => setIsAsking(true)}>
          Remove
        </MenuItem>
      </Menu>
      {isAsking && (
        <Confirm
          open
          onOpenChange={setIsAsking}
          title="Remove this message?"
          description="Its text and files disappear for both of you. “Message removed” stays in its place."
          action="Remove message"
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(message, {
              onSuccess: () => setIsAsking(false),
              onError: (error) => toast.error(error.message),
            })
          }
        />
      )}
    </>
  );
}

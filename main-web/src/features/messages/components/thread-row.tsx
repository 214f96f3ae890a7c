import { BellOff } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { cx } from "@/lib/cx";
import { Avatar } from "@/components/ui/avatar";
import { formatWhen } from "../lib/dates";
import { messagesPath } from "../lib/recipients";
import type { ThreadCard } from "../lib/types";
import styles from "./thread-row.module.css";

/** A conversation in the list: with whom, its last words, when, and how many are unread. */
export function ThreadRow({ thread, isOpen }: { thread: ThreadCard; isOpen: boolean }) {
  const { search } = useLocation();
  const box = new URLSearchParams(search).get("box");
  const { other, last, unread } = thread;
  const isUnread = unread > 0;
  return (
    <li>
      <Link
        to={{ pathname: messagesPath(thread.side, thread.id), search: box ? `?box=${box}` : "" }}
        className={cx(styles.row, isUnread && styles.unread)}
        aria-current={isOpen ? "page" : undefined}
      >
        <Avatar name={other.name} src={other.photoUrl} />
        <span className={styles.words}>
          <span className={styles.first}>
            <bdi className={styles.name}>{other.name}</bdi>
            {thread.guru && thread.side === "person" && <span className={styles.tag}>Guru</span>}
            {thread.muted && <BellOff size={14} aria-label="Muted" role="img" className={styles.mark} />}
            {last && (
              <time dateTime={last.at} className={styles.when}>
                {formatWhen(last.at)}
              </time>
            )}
          </span>
          <span className={styles.second}>
            <span className={styles.preview} dir="auto">
              {last ? (
                <>
                  {last.mine && last.kind !== "removed" && "You: "}
                  {last.preview}
                </>
              ) : (
                "No messages yet"
              )}
            </span>
            {isUnread && (
              <span className={styles.count}>
                {unread > 99 ? "99+" : unread}
                <span className="visually-hidden"> unread</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}

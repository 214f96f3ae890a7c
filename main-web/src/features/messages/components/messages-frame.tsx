import { MessageCircle } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLocation, useParams } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { cx } from "@/lib/cx";
import { readRecipient } from "../lib/recipients";
import type { Side } from "../lib/types";
import { BlocksDialog } from "./blocks-dialog";
import styles from "./messages-frame.module.css";
import { NewThread } from "./new-thread";
import { ThreadList } from "./thread-list";
import { ThreadView } from "./thread-view";

type MessagesFrameProps = {
  side: Side;
  /** Shown below the list's heading. */
  note?: ReactNode;
};

/** Conversations beside the one that is open; on a phone, one of both. */
export function MessagesFrame({ side, note }: MessagesFrameProps) {
  const { thread = "" } = useParams();
  const { search } = useLocation();
  const [showsBlocks, setShowsBlocks] = useState(false);
  const to = new URLSearchParams(search).get("to");
  return (
    <PageHead title="Messages" description="Your conversations on Porchlight.">
      <div className={cx(styles.frame, side === "guru" && styles.inConsole)} data-open={thread === "" ? undefined : ""}>
        <div className={styles.list}>
          <ThreadList side={side} openId={thread} note={note} onShowBlocks={() => setShowsBlocks(true)} />
        </div>
        <div className={styles.view}>
          {thread === "" ? (
            <NothingOpen />
          ) : thread === "new" ? (
            <NewThread key={to} side={side} recipient={readRecipient(to)} />
          ) : (
            <ThreadView key={thread} side={side} id={thread} />
          )}
        </div>
      </div>
      {showsBlocks && <BlocksDialog onClose={() => setShowsBlocks(false)} />}
    </PageHead>
  );
}

function NothingOpen() {
  return (
    <div className={styles.nothing}>
      <MessageCircle size={36} strokeWidth={1.5} aria-hidden="true" />
      <p>Choose a conversation to read it here.</p>
    </div>
  );
}

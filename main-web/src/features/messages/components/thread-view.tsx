import { SearchX } from "lucide-react";
import { useMemo, useRef, useState, useSyncExternalStore, type DragEvent } from "react";
import { Link, Navigate } from "react-router-dom";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { Button } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useMessages } from "../api/get-messages";
import { useThread } from "../api/get-thread";
import { inOrder, lastNumber } from "../lib/conversation";
import { pendingMessages, targetName, watchOutbox, type Target } from "../lib/outbox";
import { messagesPath } from "../lib/recipients";
import { shortName } from "../lib/texts";
import type { Side, ThreadCard } from "../lib/types";
import { useAnnouncement } from "../lib/use-announcements";
import { useRead } from "../lib/use-read";
import { Composer, type ComposerHandle } from "./composer";
import { Conversation, ConversationError, ConversationLoading } from "./conversation";
import { CannotWrite, RequestBar } from "./thread-bars";
import { ThreadHead, ThreadHeadLoading } from "./thread-head";
import styles from "./thread-view.module.css";
import { ApiError } from "@porchlight/shared/client";

/** The messages that are on their way to a target, in this browser. */
export function usePending(target: Target) {
  const userId = useCurrentUserId();
  const all = useSyncExternalStore(watchOutbox, () => pendingMessages(userId));
  const name = targetName(target);
  return useMemo(() => all.filter((message) => targetName(message.target) === name), [all, name]);
}

/** A conversation: with whom, the messages, and where to write. */
export function ThreadView({ id, side }: { id: string; side: Side }) {
  const thread = useThread(id);
  if (thread.error instanceof ApiError && [404, 422].includes(thread.error.status))
    return <UnknownThread side={side} />;
  if (thread.isLoadingError)
    return (
      <div className={styles.state}>
        <h1 className="visually-hidden">Conversation</h1>
        <ErrorState
          title="We couldn't load this conversation"
          message={thread.error.message}
          onRetry={() => void thread.refetch()}
          retrying={thread.isFetching}
        />
      </div>
    );
  if (!thread.data)
    return (
      <>
        <ThreadHeadLoading side={side} />
        <ConversationLoading />
      </>
    );
  // A guru's conversations with customers are in the console.
  if (thread.data.side !== side) return <Navigate to={messagesPath(thread.data.side, id)} replace />;
  return <OpenThread thread={thread.data} />;
}

function OpenThread({ thread }: { thread: ThreadCard }) {
  const list = useMessages(thread.id);
  const target = useMemo(() => ({ threadId: thread.id }), [thread.id]);
  const pages = list.data?.pages;
  const all = useMemo(() => inOrder(pages?.flatMap((page) => page.messages) ?? []), [pages]);
  const waiting = usePending(target);
  // A message that arrived although its answer did not is in the conversation already.
  const pending = waiting.filter(({ key }) => !all.some(({ idempotencyKey }) => idempotencyKey === key));
  const [readNumber, setReadNumber] = useState<number | null>(null);
  if (readNumber === null && pages?.[0]) setReadNumber(pages[0].readNumber);
  useRead(thread, lastNumber(all));
  const name = shortName(thread);
  const announcement = useAnnouncement(all, thread.other.name);
  const composer = useRef<ComposerHandle>(null);
  const drop = useFileDrop(thread.canWrite, (files) => composer.current?.add(files));

  return (
    <div className={styles.thread} {...drop.handlers} data-dropping={drop.isOver ? "" : undefined}>
      <ThreadHead thread={thread} />
      {list.isPending ? (
        <ConversationLoading />
      ) : list.isLoadingError ? (
        <ConversationError list={list} />
      ) : (
        <Conversation
          thread={thread}
          list={list}
          messages={all}
          readNumber={readNumber ?? 0}
          pending={pending}
          onEdit={(message) => composer.current?.edit(message)}
        />
      )}
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
      {thread.request && <RequestBar thread={thread} />}
      {thread.canWrite ? (
        <Composer ref={composer} target={target} label={`Message ${name}`} />
      ) : (
        <CannotWrite thread={thread} />
      )}
      {drop.isOver && <p className={styles.drop}>Drop files to attach them</p>}
    </div>
  );
}

/** Take files that are dropped anywhere on a conversation. */
export function useFileDrop(isEnabled: boolean, add: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  const hasFiles = (event: DragEvent) => isEnabled && event.dataTransfer.types.includes("Files");
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        const { relatedTarget } = event;
        if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget))) setIsOver(false);
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        add([...event.dataTransfer.files]);
      },
    },
  };
}

function UnknownThread({ side }: { side: Side }) {
  return (
    <div className={styles.state}>
      <h1 className="visually-hidden">Conversation not found</h1>
      <EmptyState
        icon={SearchX}
        title="We couldn't find this conversation"
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={messagesPath(side)}>All messages</Link>
          </Button>
        }
      >
        You may be signed in with another account.
      </EmptyState>
    </div>
  );
}

import { ChevronDown } from "lucide-react";
import { Fragment } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import type { useMessages } from "../api/get-messages";
import { firstUnread, lastNumber, placed } from "../lib/conversation";
import { formatDay } from "../lib/dates";
import type { Pending } from "../lib/outbox";
import type { Message, ThreadCard } from "../lib/types";
import { useConversationScroll } from "../lib/use-conversation-scroll";
import { Bubble } from "./bubble";
import styles from "./conversation.module.css";
import { EventCard } from "./event-card";
import { PendingBubble } from "./pending-bubble";

type ConversationProps = {
  thread: ThreadCard;
  list: ReturnType<typeof useMessages>;
  messages: Message[];
  /** What the reader had read when the thread was opened. */
  readNumber: number;
  pending: readonly Pending[];
  onEdit: (message: Pending) => void;
};

/** The messages of a thread, by day, the newest at the bottom. Earlier ones load when the reader scrolls up. */
export function Conversation({ thread, list, messages, readNumber, pending, onEdit }: ConversationProps) {
  const last = lastNumber(messages);
  const { box, missed, toNewest, handleScroll } = useConversationScroll({
    firstId: messages[0]?.id,
    last,
    lastIsMine: messages.at(-1)?.mine ?? false,
    pendingCount: pending.length,
    loadEarlier: () => {
      if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
    },
  });
  const unread = firstUnread(messages, readNumber);
  const newest = messages.at(-1);
  return (
    <div className={styles.frame}>
      {/* The keyboard scrolls it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={box} className={styles.scroll} onScroll={handleScroll} role="region" aria-label="Messages" tabIndex={0}>
        <div className={styles.messages}>
          {list.hasNextPage && (
            <Button
              variant="ghost"
              size="sm"
              className={styles.earlier}
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {list.isFetchNextPageError ? "Earlier messages didn't load. Try again" : "Show earlier messages"}
            </Button>
          )}
          {placed(messages, (iso) => formatDay(iso)).map(({ message, startsDay, startsGroup }, index, places) => (
            <Fragment key={message.idempotencyKey ?? message.id}>
              {startsDay && (
                <h2 className={styles.day}>
                  <time dateTime={message.at}>{formatDay(message.at)}</time>
                </h2>
              )}
              {message === unread && (
                <p className={styles.unread} data-unread="">
                  New messages
                </p>
              )}
              {message.event ? (
                <EventCard event={message.event} side={thread.side} />
              ) : (
                <Bubble
                  message={message}
                  from={thread.other.name}
                  startsGroup={startsGroup}
                  endsGroup={places[index + 1]?.startsGroup ?? true}
                  isSentLast={message === newest && message.mine && pending.length === 0}
                />
              )}
            </Fragment>
          ))}
          {pending.map((message) => (
            <PendingBubble key={message.key} message={message} onEdit={() => onEdit(message)} />
          ))}
        </div>
      </div>
      {missed > 0 && (
        <Button variant="secondary" size="sm" className={styles.newest} onClick={toNewest}>
          <ChevronDown size={16} aria-hidden="true" />
          {missed === 1 ? "1 new message" : `${missed} new messages`}
        </Button>
      )}
    </div>
  );
}

/** The place of the messages while they load. */
export function ConversationLoading() {
  return (
    <div className={styles.loading} aria-busy="true">
      {["60%", "40%", "52%"].map((width, index) => (
        <Skeleton key={index} width={width} height="2.75rem" radius="md" />
      ))}
    </div>
  );
}

/** The place of messages that didn't load. */
export function ConversationError({ list }: { list: ReturnType<typeof useMessages> }) {
  return (
    <div className={styles.error}>
      <ErrorState
        title="We couldn't load this conversation"
        message={list.error?.message ?? ""}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    </div>
  );
}

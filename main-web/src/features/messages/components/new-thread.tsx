import { SearchX } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { Link, Navigate, useLocation } from "react-router-dom";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useRecipient } from "../api/get-recipient";
import { messagesPath } from "../lib/recipients";
import { shortName } from "../lib/texts";
import type { Recipient, RecipientCard, Side } from "../lib/types";
import { Composer, type ComposerHandle } from "./composer";
import { ConversationLoading } from "./conversation";
import { PendingBubble } from "./pending-bubble";
import barStyles from "./thread-bars.module.css";
import { FirstHead, ThreadHeadLoading } from "./thread-head";
import { useFileDrop, usePending } from "./thread-view";
import styles from "./thread-view.module.css";
import { ApiError } from "@porchlight/shared/client";

/** A first message to someone. Those who have written before go to their conversation. */
export function NewThread({ side, recipient }: { side: Side; recipient: Recipient | null }) {
  return recipient ? <ToRecipient side={side} recipient={recipient} /> : <UnknownRecipient side={side} />;
}

function ToRecipient({ side, recipient }: { side: Side; recipient: Recipient }) {
  const card = useRecipient(recipient);
  if (card.error instanceof ApiError && [404, 422].includes(card.error.status)) return <UnknownRecipient side={side} />;
  if (card.isLoadingError)
    return (
      <div className={styles.state}>
        <ErrorState
          title="We couldn't load who this goes to"
          message={card.error.message}
          onRetry={() => void card.refetch()}
          retrying={card.isFetching}
        />
      </div>
    );
  if (!card.data)
    return (
      <>
        <ThreadHeadLoading side={side} />
        <ConversationLoading />
      </>
    );
  if (card.data.threadId) return <Navigate to={messagesPath(side, card.data.threadId)} replace />;
  return <FirstMessage side={side} recipient={recipient} card={card.data} />;
}

type FirstMessageProps = { side: Side; recipient: Recipient; card: RecipientCard };

function FirstMessage({ side, recipient, card }: FirstMessageProps) {
  const { kind, id } = recipient;
  const target = useMemo(() => ({ to: { kind, id } }), [kind, id]);
  const state: unknown = useLocation().state;
  const pending = usePending(target);
  const composer = useRef<ComposerHandle>(null);
  const drop = useFileDrop(card.canWrite, (files) => composer.current?.add(files));
  useRefreshWhenSent(recipient, pending.length);
  return (
    <div className={styles.thread} {...drop.handlers}>
      <FirstHead card={card} side={side} />
      <div className={styles.first}>
        {pending.length === 0 && <About card={card} />}
        <div className={styles.firstMessages}>
          {pending.map((message) => (
            <PendingBubble key={message.key} message={message} onEdit={() => composer.current?.edit(message)} />
          ))}
        </div>
      </div>
      {card.canWrite ? (
        <Composer ref={composer} target={target} label={`Message ${shortName(card)}`} firstWords={draftOf(state)} />
      ) : (
        <div className={barStyles.bar}>
          <p>{card.refusal}</p>
        </div>
      )}
      {drop.isOver && <p className={styles.drop}>Drop files to attach them</p>}
    </div>
  );
}

/** Ask again for the thread when another tab has sent what waited here: that tab knows where the conversation began. */
function useRefreshWhenSent(recipient: Recipient, waiting: number) {
  const { refetch } = useRecipient(recipient);
  const before = useRef(waiting);
  useEffect(() => {
    if (waiting < before.current) void refetch();
    before.current = waiting;
  }, [waiting, refetch]);
}

/** Words that the page before proposes, such as "Hi Theo, I'd like to learn". */
function draftOf(state: unknown): string {
  const draft = typeof state === "object" && state !== null && "draft" in state ? state.draft : "";
  return typeof draft === "string" ? draft : "";
}

function About({ card }: { card: RecipientCard }) {
  return (
    <div className={styles.about}>
      <Avatar name={card.other.name} src={card.other.photoUrl} size="lg" />
      <p className={styles.aboutName}>
        <bdi>{card.other.name}</bdi>
      </p>
      {card.about && <p>{card.about}</p>}
      {card.canWrite && <p>Say hello, and what it's about. They see your name and photo.</p>}
    </div>
  );
}

function UnknownRecipient({ side }: { side: Side }) {
  return (
    <div className={styles.state}>
      <h1 className="visually-hidden">Neighbor not found</h1>
      <EmptyState
        icon={SearchX}
        title="We couldn't find who you want to write to"
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={messagesPath(side)}>All messages</Link>
          </Button>
        }
      >
        They may have left, or taken down what you answered.
      </EmptyState>
    </div>
  );
}

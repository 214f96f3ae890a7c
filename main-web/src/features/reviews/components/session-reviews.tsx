import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { onSettled } from "@/lib/on-settled";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { ReportButton } from "@/features/reports/contract";
import { useSessionReviews, type SessionReviews as Reviews } from "../api/get-session-reviews";
import { useReplyToGuru } from "../api/reply-to-guru";
import { useWriteReview } from "../api/write-review";
import { useReviewDraft } from "../lib/review-draft";
import { ReplyForm } from "./reply-form";
import { ReviewForm } from "./review-form";
import { SessionReview } from "./session-review";
import styles from "./reviews.module.css";
import { ApiError } from "@porchlight/shared/client";
import { formatSessionDay } from "@porchlight/shared/format/session-times";

type ReviewedSession = {
  id: string;
  /** Of a customer without an account. */
  link?: string;
  guruName: string;
  serviceName: string;
  zone: string;
  endsAt: string;
};

/** "How was it?": the review of an ended session, and the guru's once it is revealed. Nothing before the end. */
export function SessionReviews({ session }: { session: ReviewedSession }) {
  const isOn = useFlag("reviews");
  // The server decides; this only spares a request.
  const [hasEnded] = useState(() => Date.parse(session.endsAt) <= Date.now());
  return isOn && hasEnded ? <Loaded session={session} /> : null;
}

function Loaded({ session }: { session: ReviewedSession }) {
  const reviews = useSessionReviews(session);
  if (reviews.isPending) {
    return (
      <div aria-busy="true">
        <Skeleton height="10rem" radius="md" />
      </div>
    );
  }
  // 404: this guru has no reviews.
  if (reviews.isError && reviews.error instanceof ApiError && reviews.error.status === 404) return null;
  if (!reviews.data) {
    return (
      <ErrorState
        title="We couldn't load the reviews"
        message={reviews.error.message}
        onRetry={() => void reviews.refetch()}
        retrying={reviews.isFetching}
      />
    );
  }
  const { canWrite, own, received, reason } = reviews.data;
  if (!canWrite && own === null && received === null && reason === "") return null;
  return <Section session={session} reviews={reviews.data} />;
}

function Section({ session, reviews }: { session: ReviewedSession; reviews: Reviews }) {
  const [isEditing, setIsEditing] = useState(false);
  const { hash } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The section appears after the page, so the browser doesn't find the address's target by itself.
    if (hash === "#reviews") heading.current?.focus();
  }, [hash]);
  const { own, received, canWrite, reason } = reviews;
  const isWriting = canWrite && (own === null || isEditing);
  return (
    <Card as="section" className={styles.section} aria-labelledby="reviews">
      <h2 ref={heading} id="reviews" className={styles.heading} tabIndex={-1}>
        {isWriting && own === null ? "How was it?" : "Reviews"}
      </h2>
      {isWriting && <Write session={session} reviews={reviews} onDone={() => setIsEditing(false)} />}
      {own !== null && !isWriting && (
        <div className={styles.part}>
          <h3 className={styles.name}>Your review</h3>
          <SessionReview
            {...own}
            caption={own.hidden ? hiddenUntil(reviews, session) : `${session.serviceName} · public`}
            replyBy={session.guruName}
          />
          {own.hidden && canWrite && (
            <div>
              <Button variant="secondary" size="sm" onClick={() => setIsEditing(true)}>
                Change your review
              </Button>
            </div>
          )}
        </div>
      )}
      {received !== null && <Received session={session} received={received} />}
      {reason && <p className={styles.soft}>{reason}</p>}
    </Card>
  );
}

/** "Hidden until you both write or on Dec 15." */
function hiddenUntil({ openUntil }: Reviews, { zone }: ReviewedSession): string {
  return `Hidden until you both write, or until ${formatSessionDay(openUntil, zone)}.`;
}

function Write({ session, reviews, onDone }: { session: ReviewedSession; reviews: Reviews; onDone: () => void }) {
  const write = useWriteReview(session);
  const { own } = reviews;
  const draft = useReviewDraft(session.id, own ?? undefined);

  function submit() {
    const { stars, body, privateNote } = draft.values;
    onSettled(write.mutateAsync({ stars, body: body.trim(), privateNote: privateNote.trim() }), () => {
      draft.forget();
      onDone();
      toast.success("Thanks! Your review helps other neighbors.");
    });
  }

  return (
    <>
      <p className={styles.soft}>
        {hiddenUntil(reviews, session)} Then everyone sees it{" "}
        {session.link === undefined ? "with your first name" : "without your name"}.
      </p>
      <ReviewForm
        legend={`${session.serviceName} with ${session.guruName}`}
        values={draft.values}
        onChange={(changes) => draft.change(changes)}
        onSubmit={submit}
        pending={write.isPending}
        error={write.error}
        submitLabel={own ? "Save changes" : "Send review"}
        noteTo={session.guruName}
      >
        {own && (
          <Button variant="ghost" onClick={onDone}>
            Cancel
          </Button>
        )}
      </ReviewForm>
    </>
  );
}

function Received({ session, received }: { session: ReviewedSession; received: NonNullable<Reviews["received"]> }) {
  const reply = useReplyToGuru(session);
  return (
    <div className={styles.part}>
      <h3 className={styles.name}>{session.guruName}&rsquo;s review of you</h3>
      <SessionReview
        {...received}
        caption="Only you and gurus you ask for a session can read it."
        replyBy="Your reply"
      />
      {received.removedWhy === "" && (
        <ReplyForm
          of={session.id}
          reply={received.reply}
          hint="Gurus who read the review read your reply, too."
          save={(body) => reply.mutateAsync(body)}
          pending={reply.isPending}
          error={reply.error}
        />
      )}
      {received.removedWhy === "" && session.link === undefined && (
        <div>
          <ReportButton subject={{ kind: "review", name: received.id }} title={`${session.guruName}'s review of you`} />
        </div>
      )}
    </div>
  );
}

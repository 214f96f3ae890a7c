import { Star } from "lucide-react";
import { personName } from "@/lib/person-name";
import { PageHead } from "@/components/layout/page-head";
import { DataList, DataRow, MoreButton, PendingList, RowText } from "@/components/ui/data-list";
import { LoadNotice } from "@/components/ui/load-notice";
import { PageHeader } from "@/components/ui/page-header";
import { SectionTitle } from "@/components/ui/section-card";
import { Stack } from "@/components/ui/stack";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { ReportButton } from "@/features/reports/contract";
import { Average } from "../../components/stars";
import { ReplyForm } from "../../components/reply-form";
import { SessionReview } from "../../components/session-review";
import styles from "../../components/reviews.module.css";
import { DueList } from "../components/due-list";
import { useDueReviews } from "../api/get-due-reviews";
import { useGuruReviews, type GuruReview } from "../api/get-guru-reviews";
import { useReplyToReview } from "../api/reply-to-review";
import { formatSessionDay } from "@porchlight/shared/format/session-times";
import { pluralize } from "@porchlight/shared/format/numbers";

/** The reviews of the guru's sessions: to write about neighbors, to read, to reply and to report. */
export function ReviewsPage() {
  return (
    <PageHead title="Reviews" description="What neighbors say about your sessions.">
      <PageHeader
        title="Reviews"
        lead="A review stays hidden until you both have written, or for 14 days. Only our team can delete one."
      />
      <Due />
      <Received />
    </PageHead>
  );
}

function Due() {
  const due = useDueReviews();
  if (!due.data) return <LoadNotice what="the neighbors to review" queries={[due]} />;
  const { sessions } = due.data;
  if (sessions.length === 0) return null;
  return (
    <Stack as="section" aria-labelledby="due" close>
      <SectionTitle id="due">{pluralize(sessions.length, "neighbor")} to review</SectionTitle>
      <DueList sessions={sessions} />
    </Stack>
  );
}

function Received() {
  const list = useGuruReviews();
  const first = list.data?.pages[0];
  const reviews = list.data?.pages.flatMap((page) => page.reviews) ?? [];
  return (
    <Stack as="section" aria-labelledby="received" close>
      <SectionTitle id="received">About your sessions</SectionTitle>
      {list.isPending && <PendingList rows={3} height="8rem" />}
      {list.isError && !list.data && (
        <ErrorState
          title="We couldn't load your reviews"
          message={list.error.message}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {first && (
        <>
          {first.rating && <Summary rating={first.rating} counts={first.counts} />}
          {reviews.length === 0 ? (
            <EmptyState icon={Star} title="No reviews yet.">
              Neighbors are asked two hours after a session. You read their review once you both have written.
            </EmptyState>
          ) : (
            <DataList>
              {reviews.map((review) => (
                <Row key={review.id} review={review} />
              ))}
            </DataList>
          )}
          <MoreButton list={list} />
        </>
      )}
    </Stack>
  );
}

function Summary({ rating, counts }: { rating: { average: number; reviews: number }; counts: readonly number[] }) {
  return (
    <>
      <p>
        <Average rating={rating} />
      </p>
      <ul className={styles.counts} aria-label="Reviews by stars">
        {[5, 4, 3, 2, 1].map((stars) => (
          <li key={stars}>
            <span>{pluralize(stars, "star")}</span>
            <meter
              min={0}
              max={rating.reviews}
              value={counts[stars - 1] ?? 0}
              aria-label={`${stars} stars: ${counts[stars - 1] ?? 0}`}
            />
            <span aria-hidden="true">{counts[stars - 1] ?? 0}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Row({ review }: { review: GuruReview }) {
  const reply = useReplyToReview();
  const author = personName({ personName: review.author });
  const day = formatSessionDay(review.startsAt, review.zone);
  return (
    <DataRow>
      <RowText>
        <SessionReview {...review} caption={`${author} · ${review.serviceName}, ${day}`} replyBy="Your reply" />
        {review.removedWhy === "" && (
          <>
            <ReplyForm
              of={review.id}
              reply={review.reply}
              hint="Everyone can read it on your site."
              save={(body) => reply.mutateAsync({ id: review.id, body })}
              pending={reply.isPending}
              error={reply.error}
            />
            <div>
              <ReportButton subject={{ kind: "review", name: review.id }} title={`${author}'s review`} />
            </div>
          </>
        )}
        {review.own && (
          <p className={styles.soft}>
            You gave {author} {review.own.stars} of 5{review.own.body && `: “${review.own.body}”`}
            {review.own.reply && ` They replied: “${review.own.reply}”`}
          </p>
        )}
      </RowText>
    </DataRow>
  );
}

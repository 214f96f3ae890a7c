import { Clock } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useReviews } from "../api/get-reviews";
import { Rating } from "./rating";
import { Review } from "./review";
import styles from "./reviews.module.css";
import { formatAnswerTime } from "@porchlight/shared/format/answer-time";
import { formatMoney } from "@porchlight/shared/format/money";

/** What a neighbor helps with on Angel's List, and the reviews of it. Nothing for a neighbor without either. */
export function AngelReviews({ handle, isOwn }: { handle: string; isOwn: boolean }) {
  const query = useReviews(handle);
  const { hash } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const isShown = query.isSuccess;
  useEffect(() => {
    // The section appears after the page, so the browser doesn't find the address's target by itself.
    if (isShown && hash === "#reviews") heading.current?.focus();
  }, [isShown, hash]);
  if (query.isPending) return <LoadingBlock height="8rem" />;
  if (query.isError && !query.data) {
    return (
      <ErrorState
        title="We couldn't load the reviews"
        message={query.error.message}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const { pages } = query.data;
  const services = pages[0]?.services ?? [];
  const answerMinutes = pages[0]?.answerMinutes ?? null;
  const reviews = pages.flatMap((page) => page.reviews);
  if (services.length + reviews.length === 0) return null;
  return (
    <Card as="section" className={styles.section} aria-labelledby="reviews">
      <h2 ref={heading} id="reviews" className={styles.heading} tabIndex={-1}>
        {reviews.length > 0 ? "Help and reviews" : "Can help with"}
      </h2>
      {answerMinutes !== null && (
        <p className={styles.answerTime}>
          <Clock size={15} aria-hidden="true" />
          {formatAnswerTime(answerMinutes)}
        </p>
      )}
      {services.length > 0 && (
        <ul className={styles.services}>
          {services.map((service) => (
            <li key={service.serviceId}>
              <div>
                <p className={styles.service}>
                  {service.title} <span className={styles.price}>from {formatMoney(service.rateCents)}/hr</span>
                </p>
                <Rating rating={service.rating} ratings={service.ratings} jobs={service.jobs} />
              </div>
              {!isOwn && (
                <Button asChild variant="secondary" size="sm">
                  <Link
                    to={{
                      pathname: paths.postNeed,
                      search: new URLSearchParams({ service: service.serviceId, angel: handle }).toString(),
                    }}
                  >
                    Ask for help <span className="visually-hidden">with {service.title}</span>
                  </Link>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {reviews.length > 0 && (
        <ul className={styles.list}>
          {reviews.map((review) => (
            <li key={review.id}>
              <Review review={review} />
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          variant="secondary"
          size="sm"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchNextPageError ? "Try again" : "Show more reviews"}
        </Button>
      )}
    </Card>
  );
}

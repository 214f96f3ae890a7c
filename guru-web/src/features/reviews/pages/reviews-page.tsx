import { AverageRating } from "../../../components/average-rating";
import { SiteHead } from "../../../components/layout/site-head";
import { ReviewFigure } from "../../../components/review-figure";
import { Icon } from "../../../components/ui/icon";
import { PageHeading } from "../../../components/ui/page-heading";
import { SiteLink } from "../../../components/ui/site-link";
import { aggregateRating } from "../../../lib/aggregate-rating";
import type { ReviewsProps } from "../../../lib/types";

const MAX_STARS = 5;

/** What neighbors say about the guru's sessions: averages, and the reviews, the newest first. */
export function ReviewsPage({ site, rating, counts, services, reviews, olderCursor, newer }: ReviewsProps) {
  const { guru } = site;
  return (
    <>
      <SiteHead
        site={site}
        path="/reviews"
        title={`Reviews · ${guru.character}`}
        description={`What neighbors say about sessions with ${guru.character}.`}
        noIndex={newer || rating === null}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "Service",
          name: `Sessions with ${guru.character}`,
          url: `${site.origin}/services`,
          provider: { "@type": "Person", name: guru.character },
          ...aggregateRating(rating),
          ...(rating === null
            ? {}
            : {
                review: reviews
                  .filter((review) => review.stars !== null)
                  .map((review) => ({
                    "@type": "Review",
                    reviewRating: { "@type": "Rating", ratingValue: review.stars, bestRating: 5, worstRating: 1 },
                    author: { "@type": "Person", name: review.author === "" ? "A neighbor" : review.author },
                    datePublished: review.date,
                    ...(review.body === "" ? {} : { reviewBody: review.body }),
                  })),
              }),
        }}
      />
      <div className="container page">
        <PageHeading eyebrow={guru.character} title="Reviews">
          <p className="intro">
            From neighbors who came to a session. Both sides write without seeing the other&rsquo;s words.
          </p>
        </PageHeading>
        {rating !== null && !newer && (
          <div className="review-summary">
            <p className="review-average">
              <AverageRating rating={rating} />
            </p>
            <ul className="review-counts" aria-label="Reviews by stars">
              {counts
                .map((count, index) => ({ count, stars: index + 1 }))
                .reverse()
                .map(({ count, stars }) => (
                  <li key={stars}>
                    <span>
                      {stars} {stars === 1 ? "star" : "stars"}
                    </span>
                    <meter
                      min={0}
                      max={rating.reviews}
                      value={count}
                      aria-label={`${String(stars)} of ${String(MAX_STARS)} stars: ${String(count)}`}
                    />
                    <span aria-hidden="true">{count}</span>
                  </li>
                ))}
            </ul>
            {services.length > 1 && (
              <ul className="review-services" aria-label="Reviews by service">
                {services.map((service) => (
                  <li key={service.serviceId}>
                    <span>{service.name}</span> <AverageRating rating={service.rating} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
        {reviews.length > 0 ? (
          <ul className="reviews">
            {reviews.map((review) => (
              <li key={review.id}>
                <ReviewFigure review={review} guru={guru.character} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="empty-state">No reviews yet. They appear after the first sessions.</p>
        )}
        {(olderCursor !== null || newer) && (
          <nav className="pagination" aria-label="Pages">
            {newer ? (
              <SiteLink className="button button-secondary" href="/reviews">
                <Icon name="arrow-left" />
                Newest reviews
              </SiteLink>
            ) : (
              <span />
            )}
            {olderCursor !== null && (
              <SiteLink className="button button-secondary" href={`/reviews/older/${encodeURIComponent(olderCursor)}`}>
                Older reviews
                <Icon name="arrow-right" />
              </SiteLink>
            )}
          </nav>
        )}
      </div>
    </>
  );
}

import { AverageRating } from "../../../components/average-rating";
import { ReviewFigure } from "../../../components/review-figure";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import type { SiteReviews } from "../../../lib/types";

/** The newest reviews with words, and the average of all. Nothing before the first one. */
export function NewestReviews({ reviews, guru }: { reviews: SiteReviews; guru: string }) {
  if (reviews.rating === null) return null;
  return (
    <section className="container section home-reviews" aria-labelledby="reviews">
      <div className="section-heading">
        <h2 id="reviews">What neighbors say</h2>
        <SiteLink className="arrow-link" href="/reviews">
          All reviews
          <Icon name="arrow-right" />
        </SiteLink>
      </div>
      <p className="review-average">
        <AverageRating rating={reviews.rating} />
      </p>
      {reviews.newest.length > 0 && (
        <ul className="reviews review-cards">
          {reviews.newest.map((review) => (
            <li key={review.id}>
              <ReviewFigure review={review} guru={guru} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

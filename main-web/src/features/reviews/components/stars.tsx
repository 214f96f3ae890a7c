import { Star } from "lucide-react";
import styles from "./reviews.module.css";
import { formatRating, pluralize } from "@porchlight/shared/format/numbers";

const MAX_STARS = 5;

/** The stars of a review. */
export function Stars({ count }: { count: number }) {
  return (
    <p className={styles.stars}>
      <span className="visually-hidden">{count} out of 5</span>
      {Array.from({ length: MAX_STARS }, (_, number) => (
        <Star key={number} size={15} aria-hidden="true" data-full={number < count} />
      ))}
    </p>
  );
}

/** An average with the number of reviews, in one line. Nothing without a review. */
export function Average({ rating }: { rating: { average: number; reviews: number } | null }) {
  if (rating === null) return null;
  return (
    <span className={styles.average}>
      <Star size={15} aria-hidden="true" />
      {formatRating(rating.average)}
      <span className="visually-hidden"> out of 5</span> ({pluralize(rating.reviews, "review")})
    </span>
  );
}

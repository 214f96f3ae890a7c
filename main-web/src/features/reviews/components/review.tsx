import { Star } from "lucide-react";
import type { Review as ReviewData } from "../api/get-reviews";
import styles from "./reviews.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

const MAX_STARS = 5;

/** A review: its stars and words, and who wrote it when about which job. */
export function Review({ review }: { review: ReviewData }) {
  return (
    <figure className={styles.review}>
      <p className={styles.stars}>
        <span className="visually-hidden">{review.rating} out of 5</span>
        {Array.from({ length: MAX_STARS }, (_, number) => (
          <Star key={number} size={15} aria-hidden="true" data-full={number < review.rating} />
        ))}
      </p>
      {review.words && <blockquote className={styles.words}>{review.words}</blockquote>}
      <figcaption className={styles.caption}>
        {review.author || "A neighbor"} · {review.service}, about {jobLength(review.hours)} ·{" "}
        <time dateTime={review.date}>{formatDate(review.date)}</time>
      </figcaption>
    </figure>
  );
}

function jobLength(hours: number) {
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

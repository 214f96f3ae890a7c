import type { Review as ReviewData } from "../api/get-reviews";
import { Stars } from "./stars";
import styles from "./reviews.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

/** A review: its stars and words, and who wrote it when about which job. */
export function Review({ review }: { review: ReviewData }) {
  return (
    <figure className={styles.review}>
      <Stars count={review.rating} />
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

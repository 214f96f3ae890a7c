import { Star } from "lucide-react";
import styles from "./reviews.module.css";
import { formatRating } from "@porchlight/shared/format/numbers";

type RatingProps = { rating: number | null; ratings: number; jobs: number };

/** An angel's rating and number of jobs, in one line. */
export function Rating({ rating, ratings, jobs }: RatingProps) {
  return (
    <dl className={styles.facts}>
      <div className={styles.star}>
        <dt className="visually-hidden">Rating</dt>
        <dd>
          {rating === null ? (
            "New on Angel's List"
          ) : (
            <>
              <Star size={15} aria-hidden="true" />
              {formatRating(rating)}
              <span className="visually-hidden"> out of 5</span> ({ratings})
            </>
          )}
        </dd>
      </div>
      {jobs > 0 && (
        <div>
          <dt className="visually-hidden">Done</dt>
          <dd>
            {jobs} {jobs === 1 ? "job" : "jobs"} done
          </dd>
        </div>
      )}
    </dl>
  );
}

import { useFlag } from "@/lib/feature-flags";
import { LoadNotice } from "@/components/ui/load-notice";
import { Average } from "../../components/stars";
import { SessionReview } from "../../components/session-review";
import styles from "../../components/reviews.module.css";
import { useNeighborReviews } from "../api/get-neighbor-reviews";
import { formatDate } from "@porchlight/shared/format/dates";

/** What gurus wrote about the person who asks for a session or has booked one. Nothing without a review. */
export function NeighborReviews({ bookingId, name }: { bookingId: string; name: string }) {
  return useFlag("reviews") ? <Loaded bookingId={bookingId} name={name} /> : null;
}

function Loaded({ bookingId, name }: { bookingId: string; name: string }) {
  const reviews = useNeighborReviews(bookingId);
  if (!reviews.data) return <LoadNotice what="reviews" queries={[reviews]} />;
  if (reviews.data.rating === null) return null;
  return (
    <section className={styles.part} aria-label={`Reviews of ${name}`}>
      <h3 className={styles.name}>What gurus say about {name}</h3>
      <p>
        <Average rating={reviews.data.rating} />
      </p>
      <ul className={styles.list}>
        {reviews.data.reviews.map((review) => (
          <li key={review.id}>
            <SessionReview
              stars={review.stars}
              body={review.body}
              privateNote=""
              removedWhy=""
              caption={`${review.guruName} · ${review.serviceName} · ${formatDate(review.date)}`}
              reply={review.reply}
              replyBy={name}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

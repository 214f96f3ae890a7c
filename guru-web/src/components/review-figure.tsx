import { Icon } from "./ui/icon";
import { formatDate } from "../lib/format-date";
import type { SessionReview } from "../lib/types";

const MAX_STARS = 5;

/** A review of a session with the guru's reply, or the reason why our team removed it. */
export function ReviewFigure({ review, guru }: { review: SessionReview; guru: string }) {
  const { stars, body, author, service, date, reply, removedWhy } = review;
  const about = `${service} · ${formatDate(date)}`;
  if (stars === null) {
    return (
      <figure className="review">
        <p className="review-removed">Removed by our team: {removedWhy}</p>
        <figcaption>{about}</figcaption>
      </figure>
    );
  }
  return (
    <figure className="review">
      <p className="review-stars">
        <span className="visually-hidden">{stars} of 5 stars</span>
        {Array.from({ length: MAX_STARS }, (_, number) => (
          <span key={number} className={number < stars ? "star-full" : "star-empty"} aria-hidden="true">
            <Icon name="star" />
          </span>
        ))}
      </p>
      {body !== "" && <blockquote>{body}</blockquote>}
      <figcaption>
        {author === "" ? "A neighbor" : author} · {about}
      </figcaption>
      {reply !== "" && (
        <div className="review-reply">
          <p className="review-reply-by">{`${guru} replied`}</p>
          <p>{reply}</p>
        </div>
      )}
    </figure>
  );
}

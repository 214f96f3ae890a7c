import { formatAverage, formatInteger } from "../lib/format-number";
import type { Rating } from "../lib/types";
import { Icon } from "./ui/icon";

/** An average with the number of reviews, as "4.8 (12 reviews)". */
export function AverageRating({ rating }: { rating: Rating }) {
  return (
    <span className="average-rating">
      <Icon name="star" />
      <span>
        {formatAverage(rating.average)}
        <span className="visually-hidden"> of 5 stars</span>
        {` (${formatInteger(rating.reviews)} ${rating.reviews === 1 ? "review" : "reviews"})`}
      </span>
    </span>
  );
}

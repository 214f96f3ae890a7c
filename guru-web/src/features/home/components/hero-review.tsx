import { AverageRating } from "../../../components/average-rating";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import type { OwnerReview, Site, SiteReviews } from "../../../lib/types";

interface HeroReviewProps {
  site: Site;
  review: OwnerReview | null;
  reviews: SiteReviews;
}

/** The average of the reviews of sessions. Until there are some: the newest one of the guru as an angel, if any. */
export function HeroReview({ site, review, reviews }: HeroReviewProps) {
  if (reviews.rating !== null) {
    return (
      <p className="hero-rating">
        <SiteLink className="text-link" href="/reviews">
          <AverageRating rating={reviews.rating} />
        </SiteLink>
      </p>
    );
  }
  if (review === null) return null;
  const { words, rating, service, handle } = review;
  return (
    <figure className="hero-review">
      <blockquote>“{words}”</blockquote>
      <figcaption>
        <Icon name="star" />
        <span>
          <span className="visually-hidden">Rated </span>
          {rating} of 5 for {service}
        </span>
        {site.linksProfiles && <a href={`${site.mainOrigin}/u/${encodeURIComponent(handle)}#reviews`}>All reviews</a>}
      </figcaption>
    </figure>
  );
}

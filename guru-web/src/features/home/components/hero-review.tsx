import { Icon } from "../../../components/ui/icon";
import type { OwnerReview, Site } from "../../../lib/types";

/** The newest review of the guru, with a link to the others. Nothing without one. */
export function HeroReview({ site, review }: { site: Site; review: OwnerReview | null }) {
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

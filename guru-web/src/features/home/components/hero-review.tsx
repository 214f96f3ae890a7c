import { AverageRating } from "../../../components/average-rating";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import { featuredService } from "../../../lib/display-rules";
import type { Service, SiteReviews } from "../../../lib/types";

interface HeroReviewProps {
  reviews: SiteReviews;
  services: readonly Service[];
}

/** The average of the reviews of this guru's sessions. Until there are some: the first point of a service, if any. */
export function HeroReview({ reviews, services }: HeroReviewProps) {
  if (reviews.rating !== null) {
    return (
      <p className="hero-rating">
        <SiteLink className="text-link" href="/reviews">
          <AverageRating rating={reviews.rating} />
        </SiteLink>
      </p>
    );
  }
  const [feature] = featuredService(services)?.features ?? [];
  if (feature === undefined) return null;
  return (
    <p className="hero-feature">
      <Icon name="check" />
      <span>{feature}</span>
    </p>
  );
}

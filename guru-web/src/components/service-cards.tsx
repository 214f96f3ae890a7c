import type { Service, Site, SiteReviews } from "../lib/types";
import { useCurrentUser } from "../lib/use-current-user";
import type { NextStartTexts } from "../lib/use-next-starts";
import { ServiceCard } from "./service-card";

interface ServiceCardsProps {
  site: Site;
  services: readonly Service[];
  reviews: SiteReviews;
  nextStarts: NextStartTexts;
  /** Heading level of a card in the page's outline. */
  level: 2 | 3;
  /** Whether the cards show all pictures of their service, or the first. */
  allPictures?: boolean | undefined;
}

/** All services of the guru, or a sentence when there are none. */
export function ServiceCards({ site, services, reviews, nextStarts, level, allPictures }: ServiceCardsProps) {
  const user = useCurrentUser();
  const isAmongPictures = services.some(({ pictures }) => pictures.length > 0);
  if (services.length === 0) {
    return <p className="empty-state">No services right now. Send a message to ask about a session.</p>;
  }
  return (
    <div className="service-cards">
      {services.map((service) => (
        <ServiceCard
          key={service.id}
          site={site}
          service={service}
          rating={reviews.services[service.id]}
          user={user}
          nextStarts={nextStarts}
          level={level}
          isAmongPictures={isAmongPictures}
          allPictures={allPictures}
        />
      ))}
    </div>
  );
}

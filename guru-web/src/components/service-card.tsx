import { bookingAction, hasTimes, messagePath, serviceAnchor } from "../lib/booking";
import { formatPrice } from "../lib/format-number";
import type { Rating, Service, Site } from "../lib/types";
import type { CurrentUser } from "../lib/use-current-user";
import type { NextStartTexts } from "../lib/use-next-starts";
import { AverageRating } from "./average-rating";
import { NextStart, TimesLink } from "./next-start";
import { ServicePictures, type ServicePicturesProps } from "./service-pictures";
import { Icon } from "./ui/icon";
import { TitleText } from "./ui/title-text";

interface ServiceCardProps extends Omit<ServicePicturesProps, "service"> {
  site: Site;
  service: Service;
  rating?: Rating | undefined;
  user: CurrentUser | null;
  nextStarts: NextStartTexts;
  level: 2 | 3;
}

export function ServiceCard({ site, service, rating, user, nextStarts, level, ...pictures }: ServiceCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  const offersTimes = hasTimes(site, service);
  const action = bookingAction(site, service, user);
  return (
    <article
      className={service.popular ? "service-card service-card-popular" : "service-card"}
      id={serviceAnchor(service)}
    >
      <ServicePictures service={service} {...pictures} />
      {service.popular && <p className="badge">Popular</p>}
      <Heading className="service-name">
        <TitleText>{service.name}</TitleText>
      </Heading>
      {rating !== undefined && (
        <p className="service-rating">
          <AverageRating rating={rating} />
        </p>
      )}
      <p className="service-price">
        <strong>{formatPrice(service.price)}</strong>
        <span className="service-unit">{service.duration === "Monthly" ? "Monthly" : `for ${service.duration}`}</span>
      </p>
      <NextStart site={site} service={service} nextStarts={nextStarts} />
      <p className="muted service-about">{service.description}</p>
      {service.features.length > 0 && (
        <ul className="check-list">
          {service.features.map((feature) => (
            <li key={feature}>
              <Icon name="check" />
              <span>{feature}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="card-actions">
        <TimesLink site={site} service={service} className="button" />
        <a className={offersTimes ? "text-link card-link" : "button"} href={action.href}>
          {action.label} <span className="visually-hidden">{service.name}</span>
        </a>
        {site.takesBookings && (
          <a className="text-link card-link ask-link" href={messagePath(service)}>
            Ask about this <span className="visually-hidden">service: {service.name}</span>
          </a>
        )}
      </div>
    </article>
  );
}

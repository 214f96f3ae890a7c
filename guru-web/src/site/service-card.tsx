import { formatPrice } from "../display/numbers";
import { Icon } from "../ui/icon";
import { bookingAction, serviceAnchor } from "./booking";
import type { Service, Site } from "./types";
import type { Neighbour } from "./use-neighbour";

interface ServiceCardProps {
  site: Site;
  service: Service;
  neighbour: Neighbour | null;
  level?: 2 | 3;
}

export function ServiceCard({ site, service, neighbour, level = 3 }: ServiceCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  const action = bookingAction(site, service, neighbour);
  return (
    <article className={service.popular ? "offer offer-popular" : "offer"} id={serviceAnchor(service)}>
      {service.popular && <p className="badge">Popular</p>}
      <Heading className="offer-name">{service.name}</Heading>
      <p className="offer-price">
        <strong>{formatPrice(service.price)}</strong>
        <span className="offer-unit">{service.duration === "Monthly" ? "Monthly" : `for ${service.duration}`}</span>
      </p>
      <p className="quiet">{service.description}</p>
      {service.features.length > 0 && (
        <ul className="ticks">
          {service.features.map((feature) => (
            <li key={feature}>
              <Icon name="check" />
              <span>{feature}</span>
            </li>
          ))}
        </ul>
      )}
      <a className={service.popular ? "button" : "button button-quiet"} href={action.href}>
        {action.label} <span className="hidden">{service.name}</span>
      </a>
    </article>
  );
}

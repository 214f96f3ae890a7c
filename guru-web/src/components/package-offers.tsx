import { formatPrice } from "../lib/format-number";
import { packageHref, packageValue } from "../lib/package-offer";
import type { Service, Site, SoldPackage } from "../lib/types";
import { useSoldPackages } from "../lib/use-sold-packages";
import { TitleText } from "./ui/title-text";

interface PackageOffersProps {
  site: Site;
  /** The services whose packages are shown. */
  services: readonly Service[];
}

/** The packages of these services that the guru sells, or nothing. */
export function PackageOffers({ site, services }: PackageOffersProps) {
  const packages = useSoldPackages(site);
  const offers = packages.flatMap((item) => {
    const service = services.find(({ id }) => id === item.serviceId);
    return service ? [{ item, service }] : [];
  });
  if (offers.length === 0) return null;
  return (
    <section className="package-offers" aria-labelledby="packages">
      <h2 id="packages">Packages</h2>
      <p className="muted">Several sessions, paid at once. You choose a time for each of them later.</p>
      <ul className="package-list">
        {offers.map(({ item, service }) => (
          <PackageOffer key={item.id} site={site} item={item} service={service} />
        ))}
      </ul>
    </section>
  );
}

function PackageOffer({ site, item, service }: { site: Site; item: SoldPackage; service: Service }) {
  return (
    <li className="service-card">
      <h3 className="service-name">
        <TitleText>{item.name}</TitleText>
      </h3>
      <p>
        {item.sessions} sessions of {item.serviceName}
      </p>
      <p className="service-price">
        <strong>{formatPrice(item.priceCents / 100)}</strong>
        <span className="service-unit">{packageValue(item, service)}</span>
      </p>
      <p className="muted">Use them within {item.days} days.</p>
      <div className="card-actions">
        <a className="button" href={packageHref(site, item)}>
          Buy package <span className="visually-hidden">{item.name}</span>
        </a>
      </div>
    </li>
  );
}

import { NextStart, TimesLink } from "../../../components/next-start";
import { hasTimes } from "../../../lib/booking";
import { featuredService } from "../../../lib/display-rules";
import { formatPrice } from "../../../lib/format-number";
import type { Service, Site } from "../../../lib/types";
import type { NextStartTexts } from "../../../lib/use-next-starts";
import { TitleText } from "../../../components/ui/title-text";

interface HeroBookingProps {
  site: Site;
  services: readonly Service[];
  nextStarts: NextStartTexts;
}

/** Price and next time of the popular service, else of the first one, so that visitors need not look for them. */
export function HeroBooking({ site, services, nextStarts }: HeroBookingProps) {
  const bookable = services.filter((service) => hasTimes(site, service));
  const service = featuredService(bookable);
  if (service === undefined) return null;
  return (
    <div className="panel hero-booking">
      <div>
        <p>
          <TitleText>{service.name}</TitleText> · <strong>{formatPrice(service.price)}</strong>
        </p>
        <NextStart site={site} service={service} nextStarts={nextStarts} />
      </div>
      <TimesLink site={site} service={service} className="button" />
    </div>
  );
}

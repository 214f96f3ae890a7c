import { SiteHead } from "../../../components/layout/site-head";
import { PackageOffers } from "../../../components/package-offers";
import { Picture } from "../../../components/picture";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import { timesPath } from "../../../lib/booking";
import { formatPrice } from "../../../lib/format-number";
import type { TimesProps } from "../../../lib/types";
import { TermsList } from "../components/terms-list";
import { TimesChooser } from "../components/times-chooser";
import { TitleText } from "../../../components/ui/title-text";

/** The free times of a service. A visitor chooses one, which is kept while they sign in on the main site. */
export function TimesPage(props: TimesProps) {
  const { site, service, times, formKey } = props;
  const { guru } = site;
  const [picture] = service.pictures;
  return (
    <>
      <SiteHead
        site={site}
        path={timesPath(service)}
        title={`Times · ${service.name} · ${guru.character}`}
        description={`Choose a time for ${service.name} with ${guru.character}.`}
        noIndex
      />
      <div className="container page times-page">
        <SiteLink className="arrow-link" href="/services">
          <Icon name="arrow-left" />
          All services
        </SiteLink>
        <div className="times-heading">
          <div className="times-service">
            {picture !== undefined && <Picture picture={picture} />}
            <div>
              <h1>
                <TitleText>{service.name}</TitleText>
              </h1>
              <p className="times-price">
                <strong>{formatPrice(service.price)}</strong>
                {times.capacity > 1 && " per person"} <span className="muted">for {service.duration}</span>
              </p>
            </div>
          </div>
          <TermsList guru={guru} service={service} times={times} />
        </div>
        {/* Other times and a new form after a navigation within the site. */}
        <TimesChooser key={formKey} {...props} />
        <PackageOffers site={site} services={[service]} />
      </div>
    </>
  );
}

import { hasTimes, timesPath } from "../lib/booking";
import type { Service, Site } from "../lib/types";
import type { NextStartTexts } from "../lib/use-next-starts";
import { SiteLink } from "./ui/site-link";

interface NextStartProps {
  site: Site;
  service: Service;
  nextStarts: NextStartTexts;
}

/** The next free start of a service, whose line is reserved until it is known. Nothing for services without times. */
export function NextStart({ site, service, nextStarts }: NextStartProps) {
  return hasTimes(site, service) ? <p className="next-start">{nextStarts[service.id]}</p> : null;
}

/** The link to the free times of a service. */
export function TimesLink({ site, service, className }: { site: Site; service: Service; className: string }) {
  if (!hasTimes(site, service)) return null;
  return (
    <SiteLink className={className} href={timesPath(service)}>
      See times <span className="visually-hidden">for {service.name}</span>
    </SiteLink>
  );
}

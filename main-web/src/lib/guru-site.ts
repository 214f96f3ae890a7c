/** The URL of a page on a guru's site, which is on a subdomain of this host. `path` starts with a slash. */
export function guruSiteUrl(label: string, path = "/"): string {
  return `${window.location.protocol}//${label}.${window.location.host.replace(/^www\./, "")}${path}`;
}

/** The URL of the page with all free times of a service. */
export const serviceTimesUrl = (label: string, serviceId: string) => guruSiteUrl(label, `/services/${serviceId}/times`);

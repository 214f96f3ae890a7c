import type { Service, Site } from "./types";
import type { CurrentUser } from "./use-current-user";

export interface BookingAction {
  label: "Book Now" | "Book a Session";
  href: string;
}

/** Element id of a service on /services. Users return to it after signing in. */
export function serviceAnchor(service: Pick<Service, "id">): string {
  return `service-${service.id}`;
}

/** SPEC 2.4 and 4: signed out, a link to login with a return path and a message; signed in, to the dashboard. */
export function bookingAction(site: Site, service: Service, user: CurrentUser | null): BookingAction {
  if (user !== null) {
    const query = new URLSearchParams({
      action: "book-service",
      category: site.guru.category,
      guru: site.guru.subdomain,
      service: service.id,
      message: `Book ${service.name} with ${site.guru.character}`,
    });
    return { label: "Book a Session", href: `${site.mainOrigin}/dashboard?${query.toString()}` };
  }
  return {
    label: "Book Now",
    href: loginHref(
      site,
      `/services#${serviceAnchor(service)}`,
      `Please sign in to book ${service.name} with ${site.guru.character}.`,
    ),
  };
}

/** The page with the free times of a service. */
export function timesPath(service: Pick<Service, "id">): string {
  return `/services/${service.id}/times`;
}

/** Whether the free times of a service are shown. */
export function hasTimes(site: Site, service: Service): boolean {
  return site.takesBookings && service.bookable;
}

/** Login URL of the main site that returns the visitor to `path` on this site. */
export function loginHref(site: Site, path: string, message?: string): string {
  const query = `next=${encodeURIComponent(site.origin + path)}`;
  return `${site.mainOrigin}/login?${query}${message === undefined ? "" : `&message=${encodeURIComponent(message)}`}`;
}

/** A page of the main site about a start, for a signed-in user: `/book` keeps it, the other joins its waitlist. */
export function startHref(
  path: "/book" | "/sessions/waitlist",
  { mainOrigin, guru }: Site,
  service: Pick<Service, "id">,
  startsAt: string,
  party: number,
): string {
  // Not URLSearchParams, which the server's JavaScript engine lacks.
  const query = `guru=${guru.subdomain}&service=${service.id}&start=${encodeURIComponent(startsAt)}&party=${party}`;
  return `${mainOrigin}${path}?${query}`;
}

import type { Service, Site } from "./types";
import type { CurrentUser } from "./use-current-user";

export interface BookingAction {
  label: string;
  href: string;
}

/** Element id of a service on /services. */
export function serviceAnchor(service: Pick<Service, "id">): string {
  return `service-${service.id}`;
}

/**
 * SPEC 2.4 and 4: signed out, a link to login with a return path and a message; signed in, to the dashboard.
 * While the flag `booking` is off, a message takes its place.
 */
export function bookingAction(site: Site, service: Service, user: CurrentUser | null): BookingAction {
  if (!site.takesBookings) return { label: `Message ${site.guru.character}`, href: messagePath(service) };
  const what = `${service.name} with ${site.guru.character}`;
  const fields = {
    action: "book-service",
    category: site.guru.category,
    guru: site.guru.subdomain,
    service: service.id,
    message: `Book ${what}`,
  };
  // Not URLSearchParams, which the server's JavaScript engine lacks.
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const path = `/dashboard?${query.join("&")}`;
  if (user !== null) return { label: "Book a Session", href: site.mainOrigin + path };
  const next = site.returnOrigin + path;
  const message = `Please sign in to book ${what}.`;
  return {
    label: "Book Now",
    href: `${site.mainOrigin}/login?next=${encodeURIComponent(next)}&message=${encodeURIComponent(message)}`,
  };
}

/** The contact form with a service chosen. The server fills it in, so the link loads the page. */
export function messagePath(service: Pick<Service, "id">): string {
  return `/contact?service=${encodeURIComponent(service.id)}`;
}

/** The page with the free times of a service. */
export function timesPath(service: Pick<Service, "id">): string {
  return `/services/${service.id}/times`;
}

/** Whether the free times of a service are shown. */
export function hasTimes(site: Site, service: Service): boolean {
  return site.takesBookings && service.bookable;
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

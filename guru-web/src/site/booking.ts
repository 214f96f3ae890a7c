import type { Service, Site } from "./types";
import type { Neighbour } from "./use-neighbour";

export interface BookingAction {
  label: "Book Now" | "Book a Session";
  href: string;
}

/** The element that shows a service on /services; where a neighbour lands again after signing in. */
export function serviceAnchor(service: Pick<Service, "id">): string {
  return `service-${service.id}`;
}

/** SPEC 2.4 and 4: signed out, to login with a return path and a message; signed in, to the dashboard with the action. */
export function bookingAction(site: Site, service: Service, neighbour: Neighbour | null): BookingAction {
  if (neighbour !== null) {
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
    href: loginHref(site, `/services#${serviceAnchor(service)}`, `Please sign in to book ${service.name} with ${site.guru.character}.`),
  };
}

/** The main platform's login, which brings the visitor back to `path` of this site. */
export function loginHref(site: Site, path: string, message?: string): string {
  const query = `next=${encodeURIComponent(site.origin + path)}`;
  return `${site.mainOrigin}/login?${query}${message === undefined ? "" : `&message=${encodeURIComponent(message)}`}`;
}

import { generatePath } from "react-router-dom";
import { paths } from "@/config/paths";

/** The page that books a hold. */
export const bookPath = (token: string) => generatePath(paths.book, { token });

type WantedStart = { guruLabel: string; serviceId: string; startsAt: string; party: number };

const startQuery = ({ guruLabel, serviceId, startsAt, party }: WantedStart) =>
  new URLSearchParams({ guru: guruLabel, service: serviceId, start: startsAt, party: String(party) }).toString();

/** The page that keeps a time for a signed-in user. */
export const keepTimePath = (start: WantedStart) => `${paths.keepTime}?${startQuery(start)}`;

/** The page on which people join the waitlist of a full session. */
export const joinWaitlistPath = (start: WantedStart) => `${paths.joinWaitlist}?${startQuery(start)}`;

/** The page with someone's place on the waitlist of a session. */
export const waitlistPath = (id: string) => generatePath(paths.waitlist, { id });

/** The page of a guru's site with the free times of a service. Guru sites are subdomains of this host. */
export function guruTimesUrl({ guruLabel, serviceId }: { guruLabel: string; serviceId: string }): string {
  return `${window.location.protocol}//${guruLabel}.${window.location.host}/services/${serviceId}/times`;
}

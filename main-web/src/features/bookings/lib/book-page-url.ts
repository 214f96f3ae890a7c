import { generatePath } from "react-router-dom";
import { paths } from "@/config/paths";

/** The page that books a hold. */
export const bookPath = (token: string) => generatePath(paths.book, { token });

/** The page of a guru's site with the free times of a service. Guru sites are subdomains of this host. */
export function guruTimesUrl({ guruLabel, serviceId }: { guruLabel: string; serviceId: string }): string {
  return `${window.location.protocol}//${guruLabel}.${window.location.host}/services/${serviceId}/times`;
}

import type { Location } from "react-router-dom";

/** The router state of the dashboard right after publishing: it then shows that the site is live. */
export const SITE_LIVE_STATE = { siteIsLive: true };

/** Tell whether the user has just published a site. */
export function isSiteJustLive(location: Location): boolean {
  const state: unknown = location.state;
  return typeof state === "object" && state !== null && "siteIsLive" in state;
}

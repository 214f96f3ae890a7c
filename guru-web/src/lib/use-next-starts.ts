import { useEffect, useState } from "react";

import { api } from "./api-client";
import { hasTimes } from "./booking";
import type { Service, Site } from "./types";

const TIMEOUT_MS = 10_000;

/** The next free start of each service as text, by service id. A service is missing before the answer or without one. */
export type NextStartTexts = Readonly<Record<string, string>>;

const none: NextStartTexts = {};

/**
 * Fetch the next free start of each service. They are not part of the page: it is cached, and every booking changes
 * them. Without an answer the cards show only the link to the times.
 */
export function useNextStarts(site: Site, services: readonly Service[]): NextStartTexts {
  const [texts, setTexts] = useState(none);
  const { subdomain } = site.guru;
  const isNeeded = services.some((service) => hasTimes(site, service));
  useEffect(() => {
    if (!isNeeded) return undefined;
    const request = new AbortController();
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    void fetchNextStarts(subdomain, signal).then((found) => {
      if (!request.signal.aborted) setTexts(found);
    });
    return () => request.abort();
  }, [subdomain, isNeeded]);
  return texts;
}

async function fetchNextStarts(subdomain: string, signal: AbortSignal): Promise<NextStartTexts> {
  try {
    const { data } = await api.GET("/gurus/{subdomain}/next-starts", { params: { path: { subdomain } }, signal });
    if (!data) return none;
    // The table of time zones is not needed before.
    const { formatSessionStart } = await import("@porchlight/shared/format/session-times");
    const { zone, services } = data;
    return Object.fromEntries(
      services.map(({ serviceId, startsAt }) => [
        serviceId,
        startsAt === null ? "No free times right now" : `Next: ${formatSessionStart(startsAt, zone)}`,
      ]),
    );
  } catch {
    return none;
  }
}

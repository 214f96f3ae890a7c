import { useEffect, useState } from "react";

import { api } from "./api-client";
import type { Site, SoldPackage } from "./types";

const TIMEOUT_MS = 10_000;

const none: readonly SoldPackage[] = [];

/**
 * Fetch the packages that the guru sells. They are not part of the page: whether the guru can take cards may change
 * while it is cached. Without an answer the page shows none.
 */
export function useSoldPackages(site: Site): readonly SoldPackage[] {
  const [packages, setPackages] = useState(none);
  const { subdomain } = site.guru;
  const { takesBookings } = site;
  useEffect(() => {
    if (!takesBookings) return undefined;
    const request = new AbortController();
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    void fetchSoldPackages(subdomain, signal).then((found) => {
      if (!request.signal.aborted) setPackages(found);
    });
    return () => request.abort();
  }, [subdomain, takesBookings]);
  return packages;
}

async function fetchSoldPackages(subdomain: string, signal: AbortSignal): Promise<readonly SoldPackage[]> {
  try {
    const { data } = await api.GET("/gurus/{subdomain}/packages", { params: { path: { subdomain } }, signal });
    return data?.data.packages ?? none;
  } catch {
    return none;
  }
}

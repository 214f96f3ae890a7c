import { getAllTimes } from "@porchlight/shared/all-times";

import type { FreeTimes } from "../../../lib/types";

const TIMEOUT_MS = 15_000;

/** Get the free times of a service from a local day on. Rejects when they cannot be loaded. */
export async function getTimes(
  subdomain: string,
  serviceId: string,
  from: string,
  days: number,
  signal: AbortSignal,
): Promise<FreeTimes> {
  const path = `/api/gurus/${encodeURIComponent(subdomain)}/services/${encodeURIComponent(serviceId)}/slots`;
  return getAllTimes(
    async (first, count) => {
      const response = await fetch(`${path}?from=${first}&days=${count}`, {
        headers: { accept: "application/json" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const times = (await response.json()) as Partial<FreeTimes> | null;
      // A network on the way may answer with something else.
      if (typeof times?.zone !== "string") throw new Error("no times");
      return times as FreeTimes;
    },
    from,
    days,
  );
}

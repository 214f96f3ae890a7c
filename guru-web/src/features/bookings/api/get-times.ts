import { getAllTimes } from "@porchlight/shared/all-times";

import { api } from "../../../lib/api-client";
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
  return getAllTimes(
    async (first, count) => {
      const { data, response } = await api.GET("/gurus/{subdomain}/services/{service_id}/slots", {
        params: { path: { subdomain, service_id: serviceId }, query: { from: first, days: count } },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      // A network on the way may answer with something else.
      if (typeof data?.zone !== "string") throw new Error(`no times, but HTTP ${response.status}`);
      return data;
    },
    from,
    days,
  );
}

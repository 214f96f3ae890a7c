import { useCallback, useEffect, useRef, useState } from "react";

import { monthOf, weeksOfMonth } from "@porchlight/shared/format/calendar-days";
import type { FreeTimes } from "../../../lib/types";
import { getTimes } from "../api/get-times";

export type TimesStatus = "ready" | "loading" | "failed";

/**
 * The free times of the month that contains `day`, in whole weeks. The first month's times come with the page.
 * `reload` fetches the shown month again.
 */
export function useTimes(subdomain: string, serviceId: string, initial: FreeTimes, initialDay: string, day: string) {
  const [loaded, setLoaded] = useState({ month: monthOf(initialDay), times: initial });
  const [failedMonth, setFailedMonth] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const month = monthOf(day);

  const load = useCallback(
    (wanted: string) => {
      running.current?.abort();
      const request = new AbortController();
      running.current = request;
      setFailedMonth(null);
      const days = weeksOfMonth(`${wanted}-01`).flat();
      const from = days.find((one) => one >= initial.today) ?? initial.today;
      const count = days.filter((one) => one >= from).length;
      getTimes(subdomain, serviceId, from, Math.max(count, 1), request.signal)
        .then((times) => {
          if (!request.signal.aborted) setLoaded({ month: wanted, times });
        })
        .catch(() => {
          if (!request.signal.aborted) setFailedMonth(wanted);
        });
    },
    [subdomain, serviceId, initial.today],
  );

  useEffect(() => {
    if (loaded.month !== month) load(month);
    else running.current?.abort();
  }, [load, loaded.month, month]);

  const status: TimesStatus = loaded.month === month ? "ready" : failedMonth === month ? "failed" : "loading";
  return { times: loaded.times, status, reload: useCallback(() => load(month), [load, month]) };
}

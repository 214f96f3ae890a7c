import { useEffect, useState } from "react";

/** Interval and duration of polling for the third-party element, in milliseconds (SPEC 9). */
export const POLL_INTERVAL_MS = 500;
export const POLL_TIMEOUT_MS = 10_000;

/** Tell whether a custom element is defined by a third-party script. Polls every 500 ms for up to 10 s. */
export function useElementDefined(name: string, enabled: boolean): boolean {
  // The build, which renders the page too, has no elements.
  const [defined, setDefined] = useState(
    () => typeof customElements !== "undefined" && customElements.get(name) !== undefined,
  );

  useEffect(() => {
    if (!enabled || defined) return;
    let waited = 0;
    const timer = setInterval(() => {
      waited += POLL_INTERVAL_MS;
      if (customElements.get(name)) setDefined(true);
      else if (waited < POLL_TIMEOUT_MS) return;
      clearInterval(timer);
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [name, enabled, defined]);

  return enabled && defined;
}

import { useEffect, useState } from "react";

/** How often, and for how long at most, the page looks for the third-party element, in milliseconds (SPEC 9). */
export const POLL_EVERY = 500;
export const POLL_FOR = 10_000;

/**
 * Whether a custom element has been defined by a script of someone else's. Looks every 500 ms and gives up after 10 s;
 * once it was seen the answer stays true.
 */
export function useElementDefined(name: string, enabled: boolean): boolean {
  const [defined, setDefined] = useState(() => customElements.get(name) !== undefined);

  useEffect(() => {
    if (!enabled || defined) return;
    let waited = 0;
    const timer = setInterval(() => {
      waited += POLL_EVERY;
      if (customElements.get(name)) setDefined(true);
      else if (waited < POLL_FOR) return;
      clearInterval(timer);
    }, POLL_EVERY);
    return () => clearInterval(timer);
  }, [name, enabled, defined]);

  return enabled && defined;
}

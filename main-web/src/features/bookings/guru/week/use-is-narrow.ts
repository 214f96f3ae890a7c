import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 48rem)";

// Where a page is rendered without a screen, there is none to ask.
const hasScreen = () => typeof window.matchMedia === "function";

function subscribe(notify: () => void) {
  if (!hasScreen()) return () => undefined;
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", notify);
  return () => query.removeEventListener("change", notify);
}

/** Tell whether the screen is too narrow for seven days in columns. */
export const useIsNarrow = () =>
  useSyncExternalStore(subscribe, () => hasScreen() && window.matchMedia(NARROW).matches);

import { useEffect, useLayoutEffect } from "react";
import type { Router, RouterState } from "./create-router";

const KEPT = "porchlight.scroll-positions";

/** The positions of this tab, by the key of their location. */
let positions: Record<string, number> = {};

function readPositions() {
  try {
    positions = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Record<string, number>;
  } catch {
    // Without storage a reload goes to the top.
  }
}

function keepPositions() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(positions));
  } catch {
    // As above.
  }
}

/** Scroll to the top of a new page, and to where a person was on one to which they return. */
export function useScrollRestoration(router: Router, { location, navigation, scroll }: RouterState) {
  useEffect(() => {
    const leave = () => {
      if (navigation.state === "idle") positions[location.key] = window.scrollY;
      keepPositions();
      window.history.scrollRestoration = "auto";
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [location, navigation]);

  useLayoutEffect(() => {
    window.history.scrollRestoration = "manual";
    readPositions();
    const stop = router.keepScroll(positions);
    return () => {
      stop();
      window.history.scrollRestoration = "auto";
    };
  }, [router]);

  useLayoutEffect(() => {
    if (scroll === false) return;
    const target = scroll === null && elementOf(location.hash);
    if (target) target.scrollIntoView();
    else window.scrollTo(0, scroll ?? 0);
  }, [location, scroll]);
}

function elementOf(hash: string): HTMLElement | null {
  if (!hash) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null; // no element has such a name
  }
}

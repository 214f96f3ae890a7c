import { useInsertionEffect, useLayoutEffect, useRef } from "react";

/**
 * Keep the place to which a person scrolled the prerendered page, while the app takes it over: <ScrollRestoration> goes
 * to the top when it is mounted. Nothing is painted in between.
 */
export function useKeptScroll() {
  const place = useRef(0);
  // Insertion effects come before all layout effects of the same commit; those of children come before this one.
  useInsertionEffect(() => {
    place.current = window.scrollY;
  }, []);
  useLayoutEffect(() => {
    if (place.current > 0) window.scrollTo(0, place.current);
  }, []);
}

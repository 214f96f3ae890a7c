import { useLocation, type Location } from "react-router-dom";
import { useIsHydrating } from "@/lib/use-is-hydrating";

/** Return the location. The prerendered page does not know its state, which a reload brings back. */
export function useLoginLocation(): Location {
  const location = useLocation();
  return useIsHydrating() ? { ...location, state: null } : location;
}

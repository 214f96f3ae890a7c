import { useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/**
 * Return whether React is taking over a prerendered page. That render must equal the prerendered one, which knows
 * neither this browser nor its storage; another one follows before the next paint.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  );
}

import { useEffect, useState } from "react";

import type { FallbackState } from "./state";

/**
 * Fetches page data in the browser when `isNeeded`: the page was served without data. The loader is a separate chunk,
 * which pages with data never download.
 */
export function useFallback(page: string, path: string, isNeeded: boolean): FallbackState {
  const [loaded, setLoaded] = useState<{ path: string; state: FallbackState }>({ path, state: { kind: "loading" } });
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isCanceled = false;
    void import("./load-fallback")
      .then(({ loadFallback }) => loadFallback(page, window.location))
      .then((state) => {
        if (!isCanceled) setLoaded({ path, state });
      });
    return () => {
      isCanceled = true;
    };
  }, [page, path, isNeeded]);
  return loaded.path === path ? loaded.state : { kind: "loading" };
}

/**
 * Register the service worker after the page has loaded, and report when a newer one, which brings a newer release, has
 * taken over.
 * @returns a function that stops reporting
 */
export function watchForUpdate(report: () => void): () => void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return () => undefined;
  const stop = new AbortController();
  // Without a controller this is the first installation: no older version is open.
  if (navigator.serviceWorker.controller) {
    navigator.serviceWorker.addEventListener("controllerchange", () => report(), { signal: stop.signal });
  }

  const register = async () => {
    try {
      await navigator.serviceWorker.register("/sw.js");
    } catch {
      // Private windows and some settings block service workers; the site works without one.
    }
  };

  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true, signal: stop.signal });
  return () => stop.abort();
}

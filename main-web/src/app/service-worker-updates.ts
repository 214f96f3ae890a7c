/** A newer version that is downloaded and waiting. */
export type Update = { apply: () => void };

/**
 * Register the service worker after the page has loaded, and report a newer version once it is waiting.
 * @returns a function that stops reporting
 */
export function watchForUpdate(report: (update: Update) => void): () => void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return () => undefined;
  const stop = new AbortController();

  const offer = (registration: ServiceWorkerRegistration) => {
    const waiting = registration.waiting;
    // Without a controller this is the first installation: no older version is open.
    if (!waiting || !navigator.serviceWorker.controller || stop.signal.aborted) return;
    report({
      apply: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload(), { once: true });
        waiting.postMessage({ type: "SKIP_WAITING" });
      },
    });
  };

  const register = async () => {
    try {
      const registration = await navigator.serviceWorker.register("/sw.js");
      offer(registration);
      registration.addEventListener(
        "updatefound",
        () => {
          const worker = registration.installing;
          worker?.addEventListener("statechange", () => worker.state === "installed" && offer(registration));
        },
        { signal: stop.signal },
      );
    } catch {
      // Private windows and some settings block service workers; the site works without one.
    }
  };

  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true, signal: stop.signal });
  return () => stop.abort();
}

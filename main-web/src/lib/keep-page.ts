import { caches as names } from "@/config/caches";

/**
 * Keep the files that this page has loaded, so that it opens without a connection. The service worker keeps those of
 * later pages by itself, but it does not see the first one of a browser.
 * @returns whether the page opens without a connection from now on
 */
export async function keepPage(): Promise<boolean> {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return false;
  try {
    await navigator.serviceWorker.ready;
    const [opened, configuration] = await Promise.all([
      window.caches.open(names.opened),
      window.caches.open(names.configuration),
    ]);
    const files = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === window.location.origin && pathname.startsWith("/assets/"))
      .map(({ pathname }) => pathname);
    await Promise.all([
      ...[...new Set(files)].map((file) => addTo(opened, file)),
      addTo(configuration, `${window.location.origin}/api/config`),
    ]);
    return true;
  } catch {
    // Private windows have no storage, or little.
    return false;
  }
}

async function addTo(cache: Cache, url: string): Promise<void> {
  if (!(await cache.match(url))) await cache.add(url);
}

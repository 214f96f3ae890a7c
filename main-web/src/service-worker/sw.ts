/// <reference lib="webworker" />
import { createHandlerBoundToURL, matchPrecache, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute, setCatchHandler } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[];
};

// Paths that the server answers itself. Never cached: a response may belong to a signed-in user.
const SERVER_SIDE = [/^\/api(\/|$)/, /^\/_/, /^\/__/, /^\/(healthz|readyz|metrics|internal)(\/|$)/, /\.[a-z0-9]+$/i];

precacheAndRoute(self.__WB_MANIFEST);

registerRoute(new NavigationRoute(createHandlerBoundToURL("/index.html"), { denylist: SERVER_SIDE }));

// A server path requested offline: show our own offline page.
registerRoute(
  ({ request, url }) => request.mode === "navigate" && SERVER_SIDE.some((one) => one.test(url.pathname)),
  ({ request }) => fetch(request),
);

// Files of opened pages, under content-hashed names. A new version starts with an empty cache.
const OPENED = "opened-screens";
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/assets/"),
  async ({ request }) => {
    const opened = await caches.open(OPENED);
    const cached = await opened.match(request);
    if (cached) return cached;
    const response = await fetch(request);
    if (response.ok) await opened.put(request, response.clone());
    return response;
  },
);
self.addEventListener("activate", (event) => event.waitUntil(caches.delete(OPENED)));

// The public configuration is the same for everyone. Without it a signed-in user's page could not open the identity
// provider, which knows the user offline, too.
const CONFIGURATION = "configuration";
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === "/api/config",
  async ({ request }) => {
    const kept = await caches.open(CONFIGURATION);
    try {
      const response = await fetch(request);
      if (response.ok) await kept.put(request, response.clone());
      return response;
    } catch (reason) {
      const last = await kept.match(request);
      if (last) return last;
      throw reason;
    }
  },
);

setCatchHandler(async ({ request }) => {
  if (request.mode === "navigate") return (await matchPrecache("/offline.html")) ?? Response.error();
  return Response.error();
});

// Sent by the page after the user agreed to the update.
self.addEventListener("message", (event) => {
  if ((event.data as { type?: string } | null)?.type === "SKIP_WAITING") void self.skipWaiting();
});

/// <reference lib="webworker" />
import { createHandlerBoundToURL, matchPrecache, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute, setCatchHandler } from "workbox-routing";
import { handlePush } from "./push";
import { caches as names } from "../config/caches";

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[];
};

// Paths that the server answers itself. Never cached: a response may belong to a signed-in user.
const SERVER_SIDE = [/^\/api(\/|$)/, /^\/_/, /^\/__/, /^\/(healthz|readyz|metrics|internal)(\/|$)/, /\.[a-z0-9]+$/i];

// Every file of this release. Those that are opened later have no revision that counts (vite.config.ts).
const FILES: readonly { url: string; revision: string | null }[] = self.__WB_MANIFEST;
precacheAndRoute([...FILES.filter(({ revision }) => revision !== "later")]);

// The page that scans passes may use the camera, as the server says (porchlight/web/main_site.py).
const CAMERA_PAGE = /^\/guru\/check-in\/?$/;
const CAMERA_POLICY = "camera=(self), microphone=(), payment=(self)";
const indexPage = createHandlerBoundToURL("/index.html");
registerRoute(
  ({ request, url }) => request.mode === "navigate" && CAMERA_PAGE.test(url.pathname),
  async (options) => {
    const page = await indexPage(options);
    const headers = new Headers(page.headers);
    headers.set("Permissions-Policy", CAMERA_POLICY);
    return new Response(page.body, { status: page.status, headers });
  },
);

registerRoute(new NavigationRoute(indexPage, { denylist: SERVER_SIDE }));

// A server path requested offline: show our own offline page.
registerRoute(
  ({ request, url }) => request.mode === "navigate" && SERVER_SIDE.some((one) => one.test(url.pathname)),
  ({ request }) => fetch(request),
);

/** Whether a file or the configuration may be kept: public networks answer with their login page. */
function isOwn(response: Response): boolean {
  return response.ok && !response.redirected && !(response.headers.get("Content-Type") ?? "").startsWith("text/html");
}

// Files of opened pages, under content-hashed names.
const OPENED = names.opened;
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/assets/"),
  async ({ request }) => {
    const opened = await caches.open(OPENED);
    const cached = await opened.match(request);
    if (cached) return cached;
    const response = await fetch(request);
    if (isOwn(response)) await opened.put(request, response.clone());
    return response;
  },
);

/** Load this release's files of the pages that were opened before, so that these still open offline. */
async function bringOpened() {
  const opened = await caches.open(OPENED);
  const names = new Set((await opened.keys()).map(({ url }) => withoutHash(new URL(url).pathname)));
  const wanted = FILES.map(({ url }) => `/${url}`).filter((path) => names.has(withoutHash(path)));
  await Promise.allSettled(
    wanted.map(async (path) => {
      if (await opened.match(path)) return;
      const response = await fetch(path);
      if (isOwn(response)) await opened.put(path, response);
    }),
  );
}

async function forgetOlderReleases() {
  const opened = await caches.open(OPENED);
  const paths = new Set(FILES.map(({ url }) => `/${url}`));
  const old = (await opened.keys()).filter(({ url }) => !paths.has(new URL(url).pathname));
  await Promise.all(old.map((request) => opened.delete(request)));
}

function withoutHash(path: string): string {
  return path.replace(/-[\w-]{8}(?=\.\w+$)/, "");
}

// A new release takes over at once: the server no longer has the files of the one before. Tabs that are open go on with
// what they have, and load the new release when they need a file (src/app/new-release.ts).
self.addEventListener("install", (event) => event.waitUntil(bringOpened().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forgetOlderReleases()));

// The public configuration is the same for everyone. Without it a signed-in user's page could not open the identity
// provider, which knows the user offline, too.
const CONFIGURATION = names.configuration;
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === "/api/config",
  async ({ request }) => {
    const kept = await caches.open(CONFIGURATION);
    try {
      const response = await fetch(request);
      if (isOwn(response)) await kept.put(request, response.clone());
      return response;
    } catch (reason) {
      const last = await kept.match(request);
      if (last) return last;
      throw reason;
    }
  },
);

handlePush();

setCatchHandler(async ({ request }) => {
  if (request.mode === "navigate") return (await matchPrecache("/offline.html")) ?? Response.error();
  return Response.error();
});

// Sent by pages of releases that asked the user before the new one took over, which it has done meanwhile.
self.addEventListener("message", (event) => {
  const isAgreed = (event.data as { type?: string } | null)?.type === "SKIP_WAITING";
  if (isAgreed && event.source instanceof WindowClient) event.waitUntil(event.source.navigate(event.source.url));
});

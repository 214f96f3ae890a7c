/// <reference lib="webworker" />
import { readNote, targetOf } from "./push-note";
import { publicKeyIn, renewForNewKey } from "./renew-push";

declare const self: ServiceWorkerGlobalScope;

async function open(url: string) {
  const target = targetOf(url, self.location.origin);
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = windows.find((one) => one.url === target);
  if (same) return same.focus();
  return self.clients.openWindow(target);
}

/** Tell the server where this browser's notes go from now on. Signed out, there is no one to tell. */
async function renew(event: PushSubscriptionChangeEvent) {
  const key = event.oldSubscription?.options.applicationServerKey;
  const fresh =
    event.newSubscription ??
    (key ? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }) : null);
  if (fresh) await register(fresh, event.oldSubscription?.endpoint ?? "");
}

async function register(subscription: PushSubscription, replaces: string) {
  const { endpoint, keys } = subscription.toJSON();
  // eslint-disable-next-line no-restricted-syntax -- the client is for pages: it signs in with the page's token
  await fetch("/api/push-devices", {
    method: "PUT",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      endpoint,
      keys: { p256dh: keys?.p256dh, auth: keys?.auth },
      device: "This browser",
      replaces,
    }),
  });
}

/** Get the server's key; "" when signed out. */
async function getPublicKey() {
  // eslint-disable-next-line no-restricted-syntax -- the client is for pages: it signs in with the page's token
  const response = await fetch("/api/push-devices", { credentials: "same-origin" });
  return response.ok ? publicKeyIn(await response.json()) : "";
}

type PushSubscriptionChangeEvent = ExtendableEvent & {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
};

/** Show the notes that arrive, and open their pages. */
export function handlePush() {
  self.addEventListener("push", (event) => {
    const note = readNote(event.data?.text());
    const shown = self.registration.showNotification(note.title, {
      body: note.body,
      tag: note.tag,
      icon: "/icon-192.png",
      data: { url: note.url },
    });
    // After the note is shown: offline, the next note asks again.
    const { pushManager } = self.registration;
    const renewed = shown.then(() => renewForNewKey({ pushManager, getPublicKey, register }));
    event.waitUntil(Promise.all([shown, renewed.catch(() => false)]));
  });
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const { url = "/notifications" } = (event.notification.data ?? {}) as { url?: string };
    event.waitUntil(open(url));
  });
  self.addEventListener("pushsubscriptionchange", (event) => {
    const change = event as PushSubscriptionChangeEvent;
    change.waitUntil(renew(change));
  });
}

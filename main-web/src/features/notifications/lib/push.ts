/** Why this browser cannot show notifications: it has no such thing, or the user said no to it. */
export type PushState = "unsupported" | "denied" | "ready";

export function pushState(): PushState {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window))
    return "unsupported";
  return Notification.permission === "denied" ? "denied" : "ready";
}

/** The browser was not allowed to show notifications. */
export class PushRefused extends Error {
  override message = "Your browser doesn't allow notifications from Porchlight. You can change that in its settings.";
}

/** Ask for permission and subscribe. Only after a press: browsers refuse anything else. */
export async function subscribe(publicKey: string) {
  if ((await Notification.requestPermission()) !== "granted") throw new PushRefused();
  const registration = await navigator.serviceWorker.ready;
  const current = await registration.pushManager.getSubscription();
  // Subscribed to another installation's key: the push service would refuse our notes.
  if (current && !isOfKey(current, publicKey)) await current.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" }, device: deviceName() };
}

/** The hash by which the list of devices knows this browser; "" if it is not subscribed. */
export async function ownEndpointHash(): Promise<string> {
  if (pushState() === "unsupported") return "";
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isOfKey(subscription: PushSubscription, publicKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  if (!key) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === publicKey;
}

const BROWSERS: [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "Mac"],
  [/CrOS/, "Chromebook"],
  [/Linux/, "Linux"],
];

/** A name by which the user knows a device, like "Chrome on Android". */
export function deviceName(agent = navigator.userAgent): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  return `${find(BROWSERS) ?? "Browser"} on ${find(SYSTEMS) ?? "this device"}`;
}

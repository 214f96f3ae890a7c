/** The release from which this tab was reloaded by itself. */
const LEFT = "porchlight.left-release";

/** The file of this module: its name changes with each release, and the service worker of a release lists it. */
const OWN_FILE = new URL(import.meta.url).pathname.slice(1);

/** Tell whether a file of the app failed to load, because a newer release replaced it or the network is away. */
export function isMissingFile(reason: unknown): boolean {
  return (
    reason instanceof Error && /dynamically imported module|importing a module script|preload CSS/i.test(reason.message)
  );
}

/** Ask the server whether it has another release than this tab. False also if it cannot be asked. */
export async function isOutdated(): Promise<boolean> {
  try {
    const response = await fetch("/sw.js", { cache: "no-store" });
    const isScript = (response.headers.get("Content-Type") ?? "").includes("javascript");
    return response.ok && isScript && !(await response.text()).includes(OWN_FILE);
  } catch {
    return false;
  }
}

const ASK_AGAIN_MS = 1000;

/** Wait until the server answers: a browser says that it is online before a request gets through. */
export async function whenReachable(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await fetch("/sw.js", { cache: "no-store", signal });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

/** Whether this tab has not been reloaded from this release before. It is not reloaded again and again. */
export function mayLeaveRelease(): boolean {
  try {
    return sessionStorage.getItem(LEFT) !== OWN_FILE;
  } catch {
    return false;
  }
}

/** Load the page at `href` in the server's release. */
export async function loadRelease(href = window.location.href) {
  try {
    sessionStorage.setItem(LEFT, OWN_FILE);
  } catch {
    // Without storage the page does not reload by itself.
  }
  // The service worker of an older release would answer with that release. The new one registers its own.
  const registrations =
    "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistrations().catch(() => []) : [];
  await Promise.all(registrations.map((registration) => registration.unregister().catch(() => false)));
  if (href === window.location.href) window.location.reload();
  else window.location.assign(href);
}

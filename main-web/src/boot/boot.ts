import { holdPresses } from "../lib/early-input";
import { wasSignedIn } from "../lib/session/session-storage";

/**
 * The inline script of prerendered pages: names the app's files after the first paint. The page needs none of them to
 * be read, so they must not compete with it for a slow phone's network or CPU. Inline, because a file of its own would
 * delay the app by a round trip; the content security policy has its hash.
 */
function loadApp() {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[data-rel]")) {
    const rel = link.dataset.rel ?? "";
    // The page has these styles: a disabled link is not fetched, and keeps the app from fetching it.
    link.disabled = rel === "stylesheet";
    link.rel = rel;
  }
  const entry = document.querySelector<HTMLLinkElement>("link[data-entry]");
  if (entry) void import(/* @vite-ignore */ entry.href);
}

const root = document.getElementById("root");
const splash = document.querySelector<HTMLTemplateElement>("#splash");
if (root && splash && wasSignedIn()) {
  // Without the session cookie, or the page would be another one. The app checks the session first, and no input may
  // go to a page that it replaces.
  root.replaceChildren(splash.content);
  delete root.dataset.prerendered;
} else if (root) {
  holdPresses(root);
}

// A background tab is not painted, and some browsers report no paint timing: there, load at once.
if (document.visibilityState === "hidden" || !PerformanceObserver.supportedEntryTypes.includes("paint")) {
  loadApp();
} else {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    loadApp();
  }).observe({ type: "paint", buffered: true });
}

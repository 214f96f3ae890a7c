import { holdInput } from "../lib/early-input";
import { wasSignedIn } from "../lib/session/session-storage";

function loadApp() {
  const files = document.querySelector<HTMLTemplateElement>("#files")?.content;
  if (!files) return;
  for (const link of files.querySelectorAll("link")) {
    // The page has these styles: a disabled link is not fetched, and keeps the app from fetching it.
    link.disabled = link.rel === "stylesheet";
  }
  const entry = files.querySelector<HTMLLinkElement>("link[data-entry]");
  document.head.append(files);
  if (entry) void import(/* @vite-ignore */ entry.href);
}

/**
 * Make a prerendered page ready for the app, and name the app's files after the first paint. The page needs none of
 * them to be read, so they must not compete with it for a slow phone's network or CPU.
 */
export function boot(root: HTMLElement) {
  const splash = document.querySelector<HTMLTemplateElement>("#splash");
  if (splash && wasSignedIn()) {
    // Without the session cookie, or the page would be another one. The app checks the session first, and no input may
    // go to a page that it replaces.
    root.replaceChildren(splash.content);
    delete root.dataset.prerendered;
  } else {
    holdInput(root);
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
}

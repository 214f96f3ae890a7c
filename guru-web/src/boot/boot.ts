/**
 * Loads the page's whole style sheet and its other scripts after the first paint, and after the picture at the top of the
 * page. It is the only script in the HTML: the content needs no script, so they must not compete with it for a slow
 * phone's network or CPU.
 */
declare const SHEET: string;
declare const SCRIPTS_OF_ALL_PAGES: readonly string[];

const scriptUrls = [...SCRIPTS_OF_ALL_PAGES, ...(document.currentScript?.dataset.scripts?.split(" ") ?? [])];

function load(): void {
  for (const url of scriptUrls) addLink({ rel: "preload", href: url, as: "script" });
  // The page's own styles are those of its HTML. Scripts show more, and without the rest the page stays without scripts.
  addLink({ rel: "stylesheet", href: SHEET }).onload = loadScripts;
}

function addLink(attributes: Partial<HTMLLinkElement>): HTMLLinkElement {
  const link = Object.assign(document.createElement("link"), attributes);
  document.head.append(link);
  return link;
}

function loadScripts(): void {
  for (const url of scriptUrls) {
    const script = document.createElement("script");
    script.src = url;
    // Dynamically inserted scripts are async by default; these must run in order.
    script.async = false;
    document.body.append(script);
  }
}

function loadAfterPicture(): void {
  const picture = document.querySelector<HTMLImageElement>("img[fetchpriority=high]");
  if (picture === null) load();
  // It is painted in the frame after it has been decoded.
  else
    void picture
      .decode()
      .catch(() => undefined)
      .then(() => requestAnimationFrame(() => setTimeout(load)));
}

// A background tab is not painted, and some browsers report no paint timing: there, load at once.
if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) {
  load();
} else {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    loadAfterPicture();
  }).observe({ type: "paint", buffered: true });
}

export {};

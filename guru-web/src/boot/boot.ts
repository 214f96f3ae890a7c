/**
 * The only script a page names. It waits until the page has been painted, then loads the others: what a visitor came
 * for is in the HTML, so no script competes with it for a slow phone's network or processor.
 */
const addresses = document.currentScript?.dataset.scripts?.split(" ") ?? [];

function load(): void {
  for (const address of addresses) {
    const script = document.createElement("script");
    script.src = address;
    // Scripts made by scripts run in any order unless told otherwise.
    script.async = false;
    document.body.append(script);
  }
}

// A page opened in the background is not painted, and some browsers do not say when they paint: these need not wait.
if (document.visibilityState === "hidden" || !PerformanceObserver.supportedEntryTypes.includes("paint")) {
  load();
} else {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    load();
  }).observe({ type: "paint", buffered: true });
}

export {};

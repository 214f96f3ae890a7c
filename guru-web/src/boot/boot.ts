/**
 * Loads the page's other scripts after the first paint, and after the picture at the top of the page. It is the only
 * script in the HTML: the content needs no script, so scripts must not compete with it for a slow phone's network or
 * CPU.
 */
const scriptUrls = document.currentScript?.dataset.scripts?.split(" ") ?? [];

function loadScripts(): void {
  for (const url of scriptUrls) {
    const script = document.createElement("script");
    script.src = url;
    // Dynamically inserted scripts are async by default; these must run in order.
    script.async = false;
    document.body.append(script);
  }
}

// A background tab is not painted, and some browsers report no paint timing: there, load at once.
if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) {
  loadScripts();
} else {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    const picture = document.querySelector<HTMLImageElement>("img[fetchpriority=high]");
    if (picture?.complete === false) picture.onload = picture.onerror = loadScripts;
    else loadScripts();
  }).observe({ type: "paint", buffered: true });
}

export {};

import { createBrowserRouter } from "react-router-dom";
import { patchRoutesOnNavigation, routes } from "./routes";

// A tab's first history entry has no key, so the router would use "default" for each one, and another URL opened in
// the same tab would restore the scroll position of the previous one. The browser itself restores that of a
// prerendered page, before the app is there: the router must find none under the new key.
const entry = history.state as { key?: string } | null;
if (entry?.key === undefined || document.getElementById("root")?.dataset.prerendered !== undefined) {
  history.replaceState({ ...entry, key: crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) }, "");
}

export const router = createBrowserRouter(routes, { patchRoutesOnNavigation });

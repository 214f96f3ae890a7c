import { createBrowserRouter } from "react-router-dom";
import { routes } from "./routes";

// A tab's first page has no key, and the router would call each "default": another address opened in the same tab would
// take over how far the one before had been scrolled.
const entry = history.state as { key?: string } | null;
if (entry?.key === undefined) {
  history.replaceState({ ...entry, key: crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) }, "");
}

export const router = createBrowserRouter(routes);

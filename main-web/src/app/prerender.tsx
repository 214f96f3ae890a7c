import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter } from "react-router-dom";
import { pageLoaded } from "./page-loaded";
import { Providers, queries } from "./providers";
import { routes } from "./routes";

/** Return the HTML of a page as a signed-out visitor first sees it, before any data. Called by the build. */
export async function prerender(path: string): Promise<string> {
  // The storage of a first visit.
  Object.assign(globalThis, { localStorage: { getItem: () => null } });
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  if (!(await pageLoaded(router))) throw new Error(`${path} has no page.`);
  const html = renderToString(
    <StrictMode>
      <Providers router={router} />
    </StrictMode>,
  );
  // Their timers would keep the build running for minutes.
  queries.clear();
  return html;
}

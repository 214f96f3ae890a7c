import { HeadManagerContext } from "next/dist/shared/lib/head-manager-context.shared-runtime";
import type { ComponentType, ReactElement } from "react";
import { renderToString } from "react-dom/server";

import { GuruNotFound } from "../components/layout/guru-not-found";
import { SiteRoot } from "../components/layout/site-root";
import { SiteSuspended } from "../components/layout/site-suspended";
import { headHtml } from "./head-html";
import { pages } from "./pages";

declare global {
  var render: (page: string, propsJson: string) => string;
}

/** Pages without scripts, for hosts that have no site to show. */
const notices: Record<string, ComponentType<{ mainOrigin: string }>> = {
  "notice:not-found": GuruNotFound,
  "notice:suspended": SiteSuspended,
};

/**
 * Render a page as `head NUL html`. headHtml removes NUL characters, so the first NUL is the separator.
 * `page` is Next's name of the page, or "notice:not-found" or "notice:suspended"; `propsJson` holds its props.
 */
globalThis.render = (page, propsJson) => {
  const props = JSON.parse(propsJson) as Record<string, unknown>;
  let head: ReactElement[] = [];
  const headManager = {
    mountedInstances: new Set<never>(),
    updateHead(elements: ReactElement[]) {
      head = elements;
    },
  };
  const html = renderToString(
    <HeadManagerContext.Provider value={headManager}>{pageElement(page, props)}</HeadManagerContext.Provider>,
  );
  // After an error inside a Suspense boundary React leaves that part to the browser; an incomplete page is an error here.
  if (html.includes("<!--$!-->")) throw new Error(`a Suspense boundary of page ${page} failed to render`);
  return `${headHtml(head)}\0${html}`;
};

function pageElement(page: string, props: Record<string, unknown>) {
  const Notice = notices[page];
  if (Notice !== undefined) return <Notice mainOrigin={String(props.mainOrigin)} />;
  // The props are JSON from the API, so the compiler cannot check them against the page's type.
  const Page = pages[page] as ComponentType<Record<string, unknown>> | undefined;
  if (Page === undefined) throw new Error(`unknown page ${page}`);
  return <SiteRoot page={page} path={page} Page={Page} props={props} />;
}

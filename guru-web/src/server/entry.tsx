import { HeadManagerContext } from "next/dist/shared/lib/head-manager-context.shared-runtime";
import type { ComponentType, ReactElement } from "react";
import { renderToString } from "react-dom/server";

import { GuruSite } from "../app/guru-site";
import { GuruNotFound, SiteSuspended } from "../site/guru-not-found";
import { headHtml } from "./head-html";
import { pages } from "./pages";

declare global {
  var render: (page: string, propsJson: string) => string;
}

const notices: Record<string, ComponentType<{ mainOrigin: string }>> = {
  "notice:not-found": GuruNotFound,
  "notice:suspended": SiteSuspended,
};

/**
 * One page as `head NUL html`. The head is what next/head would emit and cannot hold a NUL, so the first one divides.
 * `page` is Next's name of the page, or "notice:not-found" / "notice:suspended"; `propsJson` its props.
 */
globalThis.render = (page, propsJson) => {
  const props = JSON.parse(propsJson) as Record<string, unknown>;
  let head: ReactElement[] = [];
  const manager = {
    mountedInstances: new Set<never>(),
    updateHead(elements: ReactElement[]) {
      head = elements;
    },
  };
  const html = renderToString(
    <HeadManagerContext.Provider value={manager}>{tree(page, props)}</HeadManagerContext.Provider>,
  );
  // What breaks inside a boundary React leaves to the browser to draw; a page is whole or it is an error.
  if (html.includes("<!--$!-->")) throw new Error(`a part of ${page} could not be drawn`);
  return `${headHtml(head)}\0${html}`;
};

function tree(page: string, props: Record<string, unknown>) {
  const Notice = notices[page];
  if (Notice !== undefined) return <Notice mainOrigin={String(props.mainOrigin)} />;
  // The props come as JSON: their types are the contract's, not the compiler's.
  const Page = pages[page] as ComponentType<Record<string, unknown>> | undefined;
  if (Page === undefined) throw new Error(`there is no page ${page}`);
  return <GuruSite page={page} path={page} Page={Page} props={props} />;
}

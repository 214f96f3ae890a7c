import type { ComponentType, ReactNode } from "react";

import { Frame } from "../site/frame";
import { GuruNotFound, PlainHead } from "../site/guru-not-found";
import { PlainPage } from "../site/plain-page";
import type { Site } from "../site/types";
import { isBare, isStandalone } from "./pages";
import { Waiting } from "./waiting";
import { useShell } from "./use-shell";

interface GuruSiteProps {
  /** Name of the page, e.g. "/blog/[slug]". */
  page: string;
  /** Address as in the browser, e.g. "/blog/crusty-bread?from=mail". */
  path: string;
  Page: ComponentType<Record<string, unknown>>;
  props: Record<string, unknown>;
}

/** The whole tree of a page, on the server and in the browser alike. */
export function GuruSite({ page, path, Page, props }: GuruSiteProps) {
  const site = siteOf(props);
  const shell = useShell(page, path, site === null && !isStandalone(page));

  if (isStandalone(page)) return <Page {...props} />;
  if (site !== null) return framed(page, site, [], <Page {...props} />);
  switch (shell.kind) {
    case "waiting":
      return <Waiting />;
    case "ready":
      return framed(page, shell.site, shell.troubles, <Page {...shell.props} />);
    case "trouble":
      return framed(
        page,
        shell.site,
        shell.troubles,
        <div className="wrap page">
          <a className="button" href={path}>
            Try again
          </a>
        </div>,
      );
    case "not-found":
      return <GuruNotFound mainOrigin={shell.mainOrigin} />;
    case "no-guru":
      return (
        <>
          <PlainHead title="No guru subdomain detected" />
          <PlainPage heading="No guru subdomain detected" action={{ href: shell.mainOrigin, label: "Go to Main Site" }} />
        </>
      );
  }
}

function framed(page: string, site: Site, troubles: readonly string[], content: ReactNode) {
  if (isBare(page)) return content;
  return (
    <Frame site={site} page={page} troubles={troubles}>
      {content}
    </Frame>
  );
}

/** `site` is the API's own data or null: its shape is the contract's, checked where it is made. */
function siteOf(props: Record<string, unknown>): Site | null {
  return (props.site as Site | null | undefined) ?? null;
}

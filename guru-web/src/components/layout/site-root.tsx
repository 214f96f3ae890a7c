import type { ComponentType, ReactNode } from "react";

import { useFallback } from "../../fallback/use-fallback";
import { hasLayout, isStandalone } from "../../lib/page-layout";
import type { Site } from "../../lib/types";
import { GuruNotFound } from "./guru-not-found";
import { Layout } from "./layout";
import { PageSkeleton } from "./page-skeleton";
import { PlainHead } from "./plain-head";
import { PlainPage } from "./plain-page";

interface SiteRootProps {
  /** Name of the page, e.g. "/blog/[slug]". */
  page: string;
  /** Path and query as in the browser, e.g. "/blog/crusty-bread?from=mail". */
  path: string;
  Page: ComponentType<Record<string, unknown>>;
  props: Record<string, unknown>;
}

/** Root component of all pages, on the server and in the browser. */
export function SiteRoot({ page, path, Page, props }: SiteRootProps) {
  const site = siteOf(props);
  const fallback = useFallback(page, path, site === null && !isStandalone(page));

  if (isStandalone(page)) return <Page {...props} />;
  if (site !== null) return withLayout(page, site, [], <Page {...props} />);
  switch (fallback.kind) {
    case "loading":
      return <PageSkeleton />;
    case "ready":
      return withLayout(page, fallback.site, fallback.errors, <Page {...fallback.props} />);
    case "failed":
      return withLayout(
        page,
        fallback.site,
        fallback.errors,
        <div className="container page">
          <a className="button" href={path}>
            Try again
          </a>
        </div>,
      );
    case "not-found":
      return <GuruNotFound mainOrigin={fallback.mainOrigin} />;
    case "no-guru":
      return (
        <>
          <PlainHead title="No guru subdomain detected" />
          <PlainPage
            heading="No guru subdomain detected"
            action={{ href: fallback.mainOrigin, label: "Go to Main Site" }}
          />
        </>
      );
  }
}

function withLayout(page: string, site: Site, errors: readonly string[], content: ReactNode) {
  if (!hasLayout(page)) return content;
  return (
    <Layout site={site} page={page} errors={errors}>
      {content}
    </Layout>
  );
}

/** `site` comes from the API, whose tests check its shape, or is null in an exported page. */
function siteOf(props: Record<string, unknown>): Site | null {
  return (props.site as Site | null | undefined) ?? null;
}

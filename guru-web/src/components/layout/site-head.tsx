import Head from "next/head";

import type { Site } from "../../lib/types";

export interface PageMeta {
  site: Site;
  /** Path of the page on its site, from "/". */
  path: string;
  title: string;
  description: string;
  /** Path of the image in link previews. */
  image?: string;
  /** Describes the image; by default, the title does. */
  imageAlt?: string;
  type?: "website" | "article" | "profile";
  publishedAt?: string;
  updatedAt?: string;
  jsonLd?: object;
  /** Hides the page from search engines. */
  noIndex?: boolean;
}

/** Title, description, canonical URL, Open Graph, feeds and JSON-LD. Server and browser render the same elements. */
export function SiteHead(meta: PageMeta) {
  const { site, title, description } = meta;
  const url = site.origin + (meta.path === "/" ? "/" : meta.path);
  const image = site.origin + (meta.image ?? "/og/home.png");
  return (
    <Head>
      <meta name="viewport" content="width=device-width, initial-scale=1" key="viewport" />
      <title>{title}</title>
      <meta name="description" content={description} key="description" />
      {meta.noIndex === true && <meta name="robots" content="noindex" key="robots" />}
      <link rel="canonical" href={url} key="canonical" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" key="icon" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" key="touch-icon" />
      <link
        rel="alternate"
        href="/feed.xml"
        type="application/atom+xml"
        title={`${site.guru.character} (Atom)`}
        key="atom"
      />
      <link
        rel="alternate"
        href="/rss.xml"
        type="application/rss+xml"
        title={`${site.guru.character} (RSS)`}
        key="rss"
      />
      <meta property="og:type" content={meta.type ?? "website"} key="og:type" />
      <meta property="og:site_name" content={site.guru.character} key="og:site_name" />
      <meta property="og:title" content={title} key="og:title" />
      <meta property="og:description" content={description} key="og:description" />
      <meta property="og:url" content={url} key="og:url" />
      <meta property="og:image" content={image} key="og:image" />
      <meta property="og:image:width" content="1200" key="og:image:width" />
      <meta property="og:image:height" content="630" key="og:image:height" />
      <meta property="og:image:alt" content={meta.imageAlt ?? title} key="og:image:alt" />
      {meta.publishedAt !== undefined && (
        <meta property="article:published_time" content={meta.publishedAt} key="article:published_time" />
      )}
      {meta.updatedAt !== undefined && (
        <meta property="article:modified_time" content={meta.updatedAt} key="article:modified_time" />
      )}
      <meta name="twitter:card" content="summary_large_image" key="twitter:card" />
      {meta.jsonLd !== undefined && (
        <script
          type="application/ld+json"
          key="json-ld"
          dangerouslySetInnerHTML={{ __html: escapeJsonForScript(meta.jsonLd) }}
        />
      )}
    </Head>
  );
}

/** JSON escaped for use inside a script element. */
export function escapeJsonForScript(value: object): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
}

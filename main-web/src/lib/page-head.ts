import { paths, type Path } from "../config/paths.ts";

/** Title and description of a page, for the browser tab, search engines and link previews. */
export type PageMetadata = { title: string; description: string };

/** Second addresses of pages, and the address that search engines should list instead. */
const CANONICAL_PATHS: Readonly<Record<string, Path>> = {
  [paths.privacyPolicy]: paths.privacy,
  [paths.termsAndConditions]: paths.terms,
};

/** Return the address of a page that search engines should list. */
export function canonicalPath(path: string): string {
  return CANONICAL_PATHS[path] ?? path;
}

const SITE = "Porchlight";

/** Return the title of a browser tab: the page's, and the product's name unless it is part of it. */
export function fullTitle(title: string): string {
  return title.includes(SITE) ? title : `${title} · ${SITE}`;
}

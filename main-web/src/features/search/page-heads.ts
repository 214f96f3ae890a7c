import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The head of the search. The build writes it into the HTML, too. */
export const PAGE_HEADS = {
  [paths.search]: { title: "Search", description: "Find neighbors, gurus and local help near you." },
} as const satisfies Partial<Record<Path, PageMetadata>>;

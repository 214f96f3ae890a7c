import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The head of the price list. The build writes it into the HTML, too. */
export const PAGE_HEADS = {
  [paths.pricing]: {
    title: "Pricing",
    description: "Free for neighbors who learn and help. Plans from $9 a month for people who teach and earn.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The head of the Angel's List. The build writes it into the HTML, too. */
export const PAGE_HEADS = {
  [paths.angelsList]: {
    title: "Angel's List",
    description:
      "Local help and odd jobs from neighbors: handyman services, moving, cleaning, yard work, pet sitting and errands.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

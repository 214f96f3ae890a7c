import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The head of the liability demo. The build writes it into the HTML, too. */
export const PAGE_HEADS = {
  [paths.liabilityDemo]: {
    title: "Liability Waiver Demo",
    description: "See how Porchlight's liability waivers work, with five sample exchanges.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

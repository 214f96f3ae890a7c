import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The head of the SkillShare. The build writes it into the HTML, too. */
export const PAGE_HEADS = {
  [paths.skills]: {
    title: "SkillShare",
    description: "Learn and teach skills with your neighbors: languages, music, cooking, repairs and more, near you.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

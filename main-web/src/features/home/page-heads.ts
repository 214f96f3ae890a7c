import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The head of the home page. The build writes it into the HTML, too. */
export const PAGE_HEADS = {
  [paths.home]: {
    title: "Porchlight: skills, gurus and help on your street",
    description: "Swap skills with neighbors, book local gurus and get help with odd jobs, all close to home.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

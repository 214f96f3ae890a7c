import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The heads of the help and contact pages. The build writes them into the HTML, too. */
export const PAGE_HEADS = {
  [paths.help]: {
    title: "Help Center",
    description: "Answers to common questions about Porchlight, and a form to ask us directly.",
  },
  [paths.contact]: { title: "Contact Us", description: "Send a message to the people who run Porchlight." },
} as const satisfies Partial<Record<Path, PageMetadata>>;

import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The heads of the information pages. The build writes them into the HTML, too. */
export const PAGE_HEADS = {
  [paths.about]: {
    title: "About",
    description:
      "Porchlight is a neighborhood marketplace for skills and local help. Find out what we believe and who we are.",
  },
  [paths.howItWorks]: {
    title: "How It Works",
    description: "How Porchlight works in four steps: create your profile, browse, book, then learn and earn.",
  },
  [paths.privacy]: {
    title: "Privacy Policy",
    description: "What data Porchlight collects, why, how long we keep it, and how to export or delete it.",
  },
  [paths.terms]: {
    title: "Terms and Conditions",
    description:
      "The rules of the neighborhood: who can use Porchlight, how bookings and waivers work, and who is responsible for what.",
  },
  [paths.safety]: {
    title: "Safety & Trust",
    description: "Everything you need to stay safe while sharing skills with neighbors, in one place.",
  },
  [paths.blog]: { title: "Blog", description: "Stories and tips from the people who make Porchlight." },
  [paths.successStories]: {
    title: "Success Stories",
    description: "What happened on Porchlight when neighbors asked for help.",
  },
  [paths.events]: {
    title: "Community Events",
    description: "Workshops, repair evenings and block parties close to home.",
  },
  [paths.forum]: {
    title: "Discussion Forum",
    description: "Questions and answers between neighbors, by skill and by neighborhood.",
  },
  [paths.mentorship]: {
    title: "Mentorship Program",
    description: "Learn a craft over months from a neighbor who has done it for years.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

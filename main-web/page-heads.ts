import { PAGE_HEADS as angels } from "./src/features/angels/page-heads.ts";
import { PAGE_HEADS as auth } from "./src/features/auth/page-heads.ts";
import { PAGE_HEADS as billing } from "./src/features/billing/page-heads.ts";
import { PAGE_HEADS as contact } from "./src/features/contact/page-heads.ts";
import { PAGE_HEADS as home } from "./src/features/home/page-heads.ts";
import { PAGE_HEADS as info } from "./src/features/info/page-heads.ts";
import { PAGE_HEADS as search } from "./src/features/search/page-heads.ts";
import { PAGE_HEADS as skills } from "./src/features/skills/page-heads.ts";
import { PAGE_HEADS as waivers } from "./src/features/waivers/page-heads.ts";
import { paths, type Path } from "./src/config/paths.ts";
import type { PageMetadata } from "./src/lib/page-head.ts";

/**
 * The heads of the pages that everyone can open and that say the same to everyone. The build writes them into the HTML
 * of these pages, because search engines and link previews run no scripts.
 */
export const PAGE_HEADS: Partial<Record<Path, PageMetadata>> = {
  ...angels,
  ...auth,
  ...billing,
  ...contact,
  ...home,
  ...info,
  ...search,
  ...skills,
  ...waivers,
  [paths.privacyPolicy]: info[paths.privacy],
  [paths.termsAndConditions]: info[paths.terms],
};

import { paths, type Path } from "../../config/paths.ts";
import type { PageMetadata } from "../../lib/page-head.ts";

/** The heads of the sign-in pages. The build writes them into the HTML, too. */
export const PAGE_HEADS = {
  [paths.login]: {
    title: "Sign in",
    description: "Sign in to Porchlight to book, teach and learn with your neighbors.",
  },
  [paths.signup]: {
    title: "Sign up",
    description: "Create a free Porchlight account and meet neighbors with skills to share.",
  },
  [paths.forgotPassword]: {
    title: "Forgot your password",
    description: "Get a link to set a new Porchlight password.",
  },
} as const satisfies Partial<Record<Path, PageMetadata>>;

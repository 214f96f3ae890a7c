import { examples } from "./recorded-answers";
import { pagePaths } from "./app-page";

export type Viewer = "visitor" | "guru" | "staff";
export type PageRow = { viewer: Viewer; path: string };

/** The page is whole without these reads: a pattern of the page, one of the read, and the reason. */
export const OPTIONAL: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^(?!\/guru|\/dashboard)/, /^\/api\/guru$/, "a link in the menu; the page of the site itself says what it lacks"],
  [/^\/guru\/check-in$/, /^\/api\/guru$/, "a link in the menu; the list itself says what it lacks"],
  [/^\/(contact|help)$/, /^\/api\/billing$/, "a sentence about the plan; the form works without it"],
  [/^\/onboarding\/(categories|review)$/, /^\/api\/billing$/, "a sentence about the plan; the server keeps the limit"],
  [
    /^\/$/,
    /^\/api\/(bookings|exchanges|guru\/bookings\/overview)$/,
    "a line about the next session, which the dashboard has, too",
  ],
  [/^\/pricing$/, /^\/api\/plans$/, "SPEC 6: the page has the plans itself"],
  [/^\/admin$/, /^\/api\/admin\/dashboard$/, "SPEC 8.4: only logged, the counters fall back to 0"],
  [/^\/admin\?tab=flags$/, /^\/api\/feature-flags\/admin$/, "SPEC 8.4: only logged"],
  [/^\/admin\?tab=documents$/, /^\/api\/documents\/pending$/, "SPEC 8.4: only logged"],
  [/^\/skills$/, /^\/api\/skills\/matches\/[^/]+$/, "a number on a tab; the tab itself says what it lacks"],
  [/^/, /^\/api\/messages\/changes$/, "a number in the header; the next poll asks again"],
  [/^\/messages/, /^\/api\/guru$/, "a link to the messages of the site"],
  [/^\/guru\/leads\//, /^\/api\/messages\/recipients$/, "a link that is absent for visitors without an account"],
  [/^/, /^\/api\/notification-count$/, "a number on the bell; the page of the notifications says what it lacks"],
  [/^/, /^\/api\/porch-lights$/, "a badge on cards, and a link to who is free"],
];

/** Other content at the same path. */
const MORE: readonly (readonly [Viewer, string])[] = [
  ["visitor", "/search?q=bread"],
  ["guru", "/"],
  ["guru", "/skills"],
  ["guru", "/search?q=bread"],
  ["guru", "/angels-list/:service"],
  ["guru", "/u/:handle"],
  ["guru", "/listings/:id"],
  ["guru", "/needs?tab=own"],
  ["guru", "/sessions?tab=waiting"],
  ["guru", "/sessions?tab=past"],
  ...["users", "listings", "sessions", "reports", "flags", "documents"].map(
    (tab) => ["staff", `/admin?tab=${tab}`] as const,
  ),
];

const SIGNED_IN =
  /^\/(dashboard|profile|onboarding|account|needs|messages|packages|be-an-angel|skills\/mine|sessions|waivers|book|guru|notifications|settings)(\/|$)/;

function viewerOf(path: string): Viewer {
  if (path.startsWith("/admin") && path !== "/admin/login") return "staff";
  return SIGNED_IN.test(path) ? "guru" : "visitor";
}

/** Every page of the router, as the viewer it is for, and other content at the same path. */
export const PAGES: readonly PageRow[] = [
  ...pagePaths().map((path) => ({ viewer: viewerOf(path), path })),
  ...MORE.map(([viewer, path]) => ({ viewer, path })),
];

/** Return the path with the recorder's example of it as its parameter. */
export function addressOf(path: string): string {
  const [bare = path] = path.split("?");
  if (!bare.includes(":")) return path;
  const example = examples[bare];
  if (!example) throw new Error(`Name an example of ${bare} in tests/record_answers.py, and record it.`);
  // An example of two parameters has both of them.
  return path.replace(/:\w+(\/:\w+)*/, example);
}

import type { Plugin, Rolldown } from "vite";
import { PAGE_HEADS } from "./page-heads.ts";
import { asPrerendered, renderPages } from "./prerendering.ts";
import { paths, type Path } from "./src/config/paths.ts";
import { canonicalPath, fullTitle, type PageMetadata } from "./src/lib/page-head.ts";

/**
 * The page component that a landing page shows first, below src/features/. Their first paint is in their HTML, for
 * visitors who arrive without being signed in.
 */
const ENTRANCES: Partial<Record<Path, string>> = {
  [paths.home]: "home/pages/home-page",
  [paths.skills]: "skills/pages/skills-page",
  [paths.angelsList]: "angels/pages/angels-page",
  [paths.search]: "search/pages/search-page",
  [paths.about]: "info/pages/about-page",
  [paths.howItWorks]: "info/pages/how-it-works-page",
  [paths.pricing]: "billing/pages/pricing-page",
  [paths.privacy]: "info/pages/privacy-page",
  [paths.privacyPolicy]: "info/pages/privacy-page",
  [paths.terms]: "info/pages/terms-page",
  [paths.termsAndConditions]: "info/pages/terms-page",
  [paths.safety]: "info/pages/coming-soon-page",
  [paths.blog]: "info/pages/coming-soon-page",
  [paths.successStories]: "info/pages/coming-soon-page",
  [paths.events]: "info/pages/coming-soon-page",
  [paths.forum]: "info/pages/coming-soon-page",
  [paths.mentorship]: "info/pages/coming-soon-page",
  [paths.help]: "contact/pages/help-page",
  [paths.contact]: "contact/pages/contact-page",
  [paths.liabilityDemo]: "waivers/pages/liability-demo-page",
  [paths.login]: "auth/pages/login-page",
  [paths.signup]: "auth/pages/signup-page",
  [paths.forgotPassword]: "auth/pages/forgot-password-page",
};

/** Pages with which signed-in users start. */
const SIGNED_IN_ENTRANCES: Partial<Record<Path, string>> = {
  [paths.dashboard]: "dashboard/pages/dashboard-page",
  [paths.sessions]: "bookings/pages/sessions-page",
};

/** Public pages whose address names what they show. The API fills in their heads. */
const ENTRANCES_BY_NAME: Partial<Record<Path, string>> = {
  [paths.listing]: "listings/pages/listing-page",
  [paths.publicProfile]: "profiles/pages/public-profile-page",
  [paths.serviceAngels]: "angels/pages/service-angels-page",
};

/** What the router loads before a page whose address has a name in it. */
const OF_NAMES = ["/src/app/other-routes.tsx"];

/** What the layout and the router load for signed-in users. */
const OF_SIGNED_IN = [
  "/src/app/layout/user-corner.tsx",
  "/src/app/layout/kept-banner.tsx",
  "/src/app/other-routes.tsx",
  "/src/lib/kept-answers.ts",
];

/** Represents the main platform's origin in the HTML of public pages; the API fills it in. */
const ORIGIN = "{{origin}}";

/**
 * The folder of the build with one HTML file per landing page and per public page; the API answers `/login` with
 * `entrances/login.html`, and `/u/maya` with `entrances/u/any.html`.
 */
export const ENTRANCES_FOLDER = "entrances/";

/** The folder of the build with the prerendered HTML, in files of the same names. */
export const PRERENDERED_FOLDER = "prerendered/";

/** The files that every first page needs: the entry, the app it starts, their static imports and their styles. */
export const frame = new Set<string>();

/** The data that pages show when the API cannot be reached; the service worker precaches it. */
export const fallbacks = new Set<string>();

/**
 * Add preload links to index.html for the files of the frame, and write one copy per landing page with the files of
 * its page too. The browser then fetches all of them at once, instead of one import level after another.
 */
export const firstFiles: Plugin = {
  name: "first-files",
  apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
  enforce: "post",
  async generateBundle(_options, bundle) {
    const page = bundle["index.html"];
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const entry = chunks.find((chunk) => chunk.isEntry);
    if (page?.type !== "asset" || !entry) this.error("There is no index.html with an entry.");
    for (const name of [entry.fileName, ...entry.dynamicImports]) addFiles(bundle, name, frame);
    const html = withFonts(withLinks(page.source.toString(), frame), Object.keys(bundle));
    page.source = html;

    for (const { fileName, facadeModuleId } of chunks)
      if (facadeModuleId?.endsWith(".gen.json")) fallbacks.add(fileName);

    const chunkOf = (module: string) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
      return chunk?.fileName ?? this.error(`${module} has no file of its own: is it imported lazily?`);
    };
    const rendered = await renderPages(Object.keys({ ...ENTRANCES, ...ENTRANCES_BY_NAME }) as Path[]);
    const components: Partial<Record<Path, string>> = { ...ENTRANCES, ...ENTRANCES_BY_NAME, ...SIGNED_IN_ENTRANCES };
    const pages = new Set([...Object.keys(components), ...Object.keys(PAGE_HEADS)] as Path[]);
    for (const path of pages) {
      const component = components[path];
      const files = new Set<string>();
      if (component) addFiles(bundle, chunkOf(`/src/features/${component}.tsx`), files);
      if (path in SIGNED_IN_ENTRANCES) for (const module of OF_SIGNED_IN) addFiles(bundle, chunkOf(module), files);
      if (path in ENTRANCES_BY_NAME) for (const module of OF_NAMES) addFiles(bundle, chunkOf(module), files);
      const head = PAGE_HEADS[path];
      const withFiles = withLinks(html, files, path in SIGNED_IN_ENTRANCES ? "stylesheet" : undefined);
      const fileName = `${path.slice(1).replace(/:.*/, "any") || "home"}.html`;
      const source = head ? withHead(withFiles, path, head) : withFiles;
      this.emitFile({ type: "asset", fileName: ENTRANCES_FOLDER + fileName, source });
      const markup = rendered.get(path);
      if (markup === undefined) continue;
      const css = [...frame, ...files].filter((name) => name.endsWith(".css")).map((name) => textOf(bundle, name));
      const prerendered = await asPrerendered(source, markup, css.join(""));
      this.emitFile({ type: "asset", fileName: PRERENDERED_FOLDER + fileName, source: prerendered });
    }
  },
};

/** Write title, description, address and link preview into the HTML of a page. */
function withHead(html: string, path: Path, { title, description }: PageMetadata): string {
  const full = escapeHtml(fullTitle(title));
  const summary = escapeHtml(description);
  const url = ORIGIN + canonicalPath(path);
  // The API draws the title on the common picture.
  const image = path === paths.home ? `${ORIGIN}/social.png` : `${ORIGIN}/social${path}.png`;
  const tags = [
    `<link rel="canonical" href="${url}" />`,
    `<meta property="og:url" content="${url}" />`,
    `<meta property="og:title" content="${full}" />`,
    `<meta property="og:description" content="${summary}" />`,
    `<meta property="og:image" content="${image}" />`,
    `<meta property="og:image:width" content="1200" />`,
    `<meta property="og:image:height" content="630" />`,
    `<meta property="og:image:alt" content="${full}" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
  ];
  return html
    .replace(/<title>[^<]*<\/title>/, `<title>${full}</title>`)
    .replace(/<meta\s+name="description"\s+content="[^"]*"\s*\/?>/, `<meta name="description" content="${summary}" />`)
    .replace("</head>", `${tags.map((tag) => `    ${tag}\n`).join("")}  </head>`);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** Add a chunk, its static imports and their styles, in the order in which the styles apply: its own come last. */
function addFiles(bundle: Rolldown.OutputBundle, name: string, files: Set<string>): Set<string> {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || files.has(name)) return files;
  files.add(name);
  for (const imported of chunk.imports) addFiles(bundle, imported, files);
  for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  return files;
}

/**
 * Name the files in the head. By default, styles are only fetched: the app's imports wait for them, and the loading
 * screen, whose styles are those of the entry, need not. A page of signed-in users has many, which take long to add.
 */
function withLinks(html: string, files: ReadonlySet<string>, styles = `preload" as="style`): string {
  const links = [...files]
    .filter((name) => !html.includes(`"/${name}"`))
    .map((name) => {
      const kind = name.endsWith(".css") ? styles : "modulepreload";
      return `    <link rel="${kind}" crossorigin href="/${name}">\n`;
    });
  return html.replace("</head>", `\n${links.join("")}  </head>`);
}

/** Name the Latin fonts: one that is there for the first paint of text is used, one that comes later is not. */
function withFonts(html: string, names: readonly string[]): string {
  const links = names
    .filter((name) => /-latin-[\w-]{8}\.woff2$/.test(name) && !name.includes("-latin-ext-"))
    .map((name) => `    <link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">\n`);
  return html.replace("</head>", `${links.join("")}  </head>`);
}

function textOf(bundle: Rolldown.OutputBundle, name: string): string {
  const file = bundle[name];
  return file?.type === "asset" ? file.source.toString() : "";
}

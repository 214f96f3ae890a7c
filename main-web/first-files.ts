import type { Plugin, Rolldown } from "vite";
import { paths, type Path } from "./src/app/paths.ts";

/** Where visitors arrive from elsewhere, and the screen that each of them shows first. */
const ENTRANCES: Partial<Record<Path, string>> = {
  [paths.home]: "home/home-page",
  [paths.skills]: "skills/skills-page",
  [paths.angelsList]: "angels/angels-page",
  [paths.search]: "search/search-page",
  [paths.about]: "information/about-page",
  [paths.howItWorks]: "information/how-it-works-page",
  [paths.pricing]: "billing/pricing-page",
  [paths.login]: "accounts/login-page",
  [paths.signup]: "accounts/signup-page",
  [paths.forgotPassword]: "accounts/forgot-password-page",
};

/** The folder of the build that holds them; webs.py of the API answers `/login` with `entrances/login.html`. */
export const ENTRANCES_FOLDER = "entrances/";

/** The files of the first screen's frame: the entry, the app it starts, what they import outright, and their styles. */
export const frame = new Set<string>();

/** What screens show when the server is out of reach; the service worker fetches it beforehand as well. */
export const fallbacks = new Set<string>();

/**
 * Names in the page the files of the frame, and in a copy of it for every entrance also those of its screen. So the
 * browser fetches all of them at once, rather than each after having run what asks for it.
 */
export const firstFiles: Plugin = {
  name: "first-files",
  apply: "build",
  enforce: "post",
  generateBundle(_options, bundle) {
    const page = bundle["index.html"];
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const entry = chunks.find((chunk) => chunk.isEntry);
    if (page?.type !== "asset" || !entry) this.error("There is no index.html with an entry.");
    for (const name of [entry.fileName, ...entry.dynamicImports]) addFiles(bundle, name, frame);
    const html = withLinks(page.source.toString(), frame);
    page.source = html;

    for (const { fileName, facadeModuleId } of chunks) if (facadeModuleId?.endsWith(".gen.json")) fallbacks.add(fileName);

    for (const [path, screen] of Object.entries(ENTRANCES)) {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/features/${screen}.tsx`));
      if (!chunk) this.error(`The entrance ${path} has no file of its own: is ${screen} a lazy route?`);
      this.emitFile({
        type: "asset",
        fileName: `${ENTRANCES_FOLDER}${path.slice(1) || "home"}.html`,
        source: withLinks(html, addFiles(bundle, chunk.fileName, new Set())),
      });
    }
  },
};

/** Adds a chunk, what it imports outright and their styles. */
function addFiles(bundle: Rolldown.OutputBundle, name: string, files: Set<string>): Set<string> {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || files.has(name)) return files;
  files.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  for (const imported of chunk.imports) addFiles(bundle, imported, files);
  return files;
}

function withLinks(html: string, files: ReadonlySet<string>): string {
  const links = [...files]
    .filter((name) => !html.includes(`"/${name}"`))
    .map((name) => `    <link rel="${name.endsWith(".css") ? "stylesheet" : "modulepreload"}" crossorigin href="/${name}">\n`);
  return html.replace("</head>", `\n${links.join("")}  </head>`);
}

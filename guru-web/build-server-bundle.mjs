// Build the parts that Next does not: the server bundle, the typefaces that a page of the API may have, and the boot script,
// which loads the others after first paint.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const reactDom = dirname(createRequire(import.meta.url).resolve("react-dom/package.json"));

// The components as one script for V8 without Node or a browser. It defines `render(page, propsJson)`.
await build({
  entryPoints: [join(here, "src/server/entry.tsx")],
  outfile: join(here, "dist-ssr/server.js"),
  bundle: true,
  minify: true,
  format: "iife",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import", "default"],
  target: "es2022",
  jsx: "automatic",
  charset: "utf8",
  legalComments: "none",
  loader: { ".css": "empty" },
  // React's server renderer without streams, which the engine lacks.
  alias: {
    "react-dom/server": join(reactDom, "cjs/react-dom-server-legacy.browser.production.js"),
    "next/link": join(here, "src/server/link.tsx"),
  },
  define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
  logLevel: "warning",
});

// What all pages load is named in the boot script, the rest in each page.
const pages = readdirSync(join(here, "out"), { recursive: true })
  .filter((name) => name.endsWith(".html"))
  .map((name) => readFileSync(join(here, "out", name), "utf8"));
const scripts = [...pages[0].matchAll(/<script src="([^"]+)" defer/g)].map(([, url]) => url);
const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(pages[0]);

const boot = await build({
  entryPoints: [join(here, "src/boot/boot.ts")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  define: {
    SHEET: JSON.stringify(sheet),
    SCRIPTS_OF_ALL_PAGES: JSON.stringify(scripts.filter((url) => pages.every((page) => page.includes(url)))),
  },
  write: false,
  logLevel: "warning",
});
const script = boot.outputFiles[0].contents;
writeFileSync(join(here, `out/_next/static/boot-${hashOf(script)}.js`), script);

// The fonts under hashed names, which browsers keep, and the style sheets that name them (sites/rendering/templates.py).
const typefaces = join(here, "../main-web/shared/dist");
mkdirSync(join(here, "out/_next/static/fonts"), { recursive: true });
const styles = readFileSync(join(typefaces, "typefaces.json"), "utf8").replaceAll(
  /url\(\\"\.\/([\w-]+)\.woff2\\"\)/g,
  (_url, name) => {
    const file = join(typefaces, `${name}.woff2`);
    const path = `/_next/static/fonts/${name}-${hashOf(readFileSync(file))}.woff2`;
    copyFileSync(file, join(here, "out", path));
    return `url(${path})`;
  },
);
writeFileSync(join(here, "dist-ssr/typefaces.json"), styles);

function hashOf(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

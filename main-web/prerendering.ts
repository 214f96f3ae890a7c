import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Rolldown } from "vite";
import type { Path } from "./src/config/paths.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Represents the name in the address of a page, such as that of a profile; the API fills it in. */
const ANY_NAME = "name-of-this-page";
const BOOT = here("./src/boot/inline.ts");

/** Return the HTML that the app renders for these pages, by path. Builds the app once more, for Node. */
export async function renderPages(pages: readonly Path[]): Promise<Map<Path, string>> {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-prerender-"));
  try {
    await build({
      configFile: here("./vite.config.ts"),
      root: here("."),
      logLevel: "warn",
      build: { ssr: "src/app/prerender.tsx", outDir: folder, minify: false, copyPublicDir: false },
      ssr: { noExternal: true },
    });
    const script = pathToFileURL(join(folder, "prerender.js")).href;
    const { prerender } = (await import(script)) as { prerender: (path: string) => Promise<string> };
    const rendered = new Map<Path, string>();
    for (const page of pages) rendered.set(page, await prerender(page.replace(/:.*/, ANY_NAME)));
    return rendered;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Return the HTML of a page with its first render and the styles of that, so that it is painted before any other file
 * arrives. Its scripts are loaded after that paint.
 */
export async function asPrerendered(html: string, markup: string, css: string): Promise<string> {
  // React names pictures to preload before the content.
  const preloads = /^(<link rel="preload" [^>]*>)*/.exec(markup)?.[0] ?? "";
  const styled = withoutStyleAttributes(markup.slice(preloads.length));
  const script = await bootScript();
  const style = `<style>${css}${styled.css}</style>`;
  // In a template, links do nothing. src/boot moves them into the head.
  const files: string[] = [];
  const keep = (link: string) => {
    files.push(link);
    return "";
  };
  return html
    .replace(/<script type="module" crossorigin src=("[^"]+")><\/script>/, (_script, source: string) =>
      keep(`<link rel="modulepreload" data-entry crossorigin href=${source}>`),
    )
    .replaceAll(/<link rel="(modulepreload|stylesheet|preload" as="style)" crossorigin href=("[^"]+")>/g, (link) =>
      keep(link.replace(`rel="preload" as="style"`, `rel="stylesheet"`)),
    )
    .replaceAll(/\n\s*(?=\n)/g, "")
    .replace("</head>", () => `${preloads}<template id="files">${files.join("")}</template>${style}\n  </head>`)
    .replace(
      /<div id="root">[^]*<\/div>(?=\s*<noscript>)/,
      (root) =>
        `<div id="root" data-prerendered>${styled.html}</div>\n` +
        `    <template id="splash">${root.slice('<div id="root">'.length, -"</div>".length)}</template>`,
    )
    .replace("</body>", () => `${script}\n  </body>`);
}

/** Turn style attributes, which the content security policy blocks, into rules. */
function withoutStyleAttributes(markup: string): { html: string; css: string } {
  const styles: string[] = [];
  const html = markup.replaceAll(/ style="([^"]*)"/g, (_attribute, style: string) => {
    if (!styles.includes(style)) styles.push(style);
    return ` data-style="${styles.indexOf(style)}"`;
  });
  return { html, css: styles.map((style, index) => `[data-style="${index}"]{${style}}`).join("") };
}

/** Return the inline script with its imports, whose size is on every first visit. */
async function bootScript(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "warn",
    build: { lib: { entry: BOOT, formats: ["iife"], name: "boot" }, write: false, minify: true, target: "es2022" },
  });
  const [
    {
      output: [{ code }],
    },
  ] = output as [Rolldown.RolldownOutput];
  return `<script>${code.trim()}</script>`;
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// No build of this product talks to anybody.
process.env.NEXT_TELEMETRY_DISABLED = "1";

const here = dirname(fileURLToPath(import.meta.url));

/** The same sources give the same build id, so workers and machines agree on the addresses of page data. */
function sourceHash() {
  const hash = createHash("sha256");
  const files = readdirSync(join(here, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of [...files, join(here, "package.json"), join(here, "next.config.mjs")]) {
    hash.update(file.slice(here.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** @type {import("next").NextConfig} */
const config = {
  output: "export",
  generateBuildId: sourceHash,
  // `npm run types` checks types; a second check here would only slow the build.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  poweredByHeader: false,
  experimental: { scrollRestoration: true },
};

export default config;

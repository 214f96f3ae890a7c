import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

// Builds must not send data to other hosts.
process.env.NEXT_TELEMETRY_DISABLED = "1";

const here = dirname(fileURLToPath(import.meta.url));
const shared = join(here, "../main-web/shared");

/** Builds of the same sources share a build id, so that all workers and machines use the same page-data URLs. */
function sourceHash() {
  const hash = createHash("sha256");
  const files = [join(here, "src"), shared]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("node_modules") && !file.includes(join(shared, "dist")))
    .sort();
  for (const file of [...files, join(here, "package.json"), join(here, "next.config.mjs")]) {
    hash.update(relative(here, file)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** @type {import("next").NextConfig} */
const config = {
  output: "export",
  generateBuildId: sourceHash,
  // `npm run types` checks types; a second check would slow down the build.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  poweredByHeader: false,
  transpilePackages: ["@porchlight/shared"],
  experimental: { scrollRestoration: true },
};

/** `make dev`: pages come from here and everything under /api from the API. @type {import("next").NextConfig} */
const development = {
  ...config,
  output: undefined,
  allowedDevOrigins: ["*.porchlight.localhost"],
  rewrites: async () => [{ source: "/api/:path*", destination: `http://${process.env.PORCHLIGHT_DEV_API}/api/:path*` }],
};

export default process.env.PORCHLIGHT_DEV_API ? development : config;

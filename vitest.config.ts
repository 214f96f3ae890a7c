import { defineConfig } from "vitest/config";

// The zone of the machine changes no test. Tests of zones name theirs.
process.env.TZ = "UTC";

/** The tests of all web packages in one run. Each package's own configuration applies to its tests. */
export default defineConfig({ test: { projects: ["main-web", "main-web/shared", "guru-web"] } });

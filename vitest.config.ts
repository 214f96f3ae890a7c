import { defineConfig } from "vitest/config";

/** The tests of all web packages in one run. Each package's own configuration applies to its tests. */
export default defineConfig({ test: { projects: ["main-web", "main-web/shared", "guru-web"] } });

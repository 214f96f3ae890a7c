import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["../main-web/shared/testing-clock.ts"],
    testTimeout: 60_000,
  },
});

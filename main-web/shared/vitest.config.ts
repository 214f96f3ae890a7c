import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["**/*.test.ts"], setupFiles: ["./testing-clock.ts"], testTimeout: 60_000 },
});

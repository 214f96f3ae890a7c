import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { VitePWA } from "vite-plugin-pwa";
import { ENTRANCES_FOLDER, fallbacks, firstFiles, frame } from "./first-files.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [
    react(),
    firstFiles,
    VitePWA({
      strategies: "injectManifest",
      srcDir: "src/service-worker",
      filename: "sw.ts",
      injectRegister: null,
      registerType: "prompt",
      manifest: {
        name: "Porchlight",
        short_name: "Porchlight",
        description: "Swap skills, book local gurus and find a hand on your own street.",
        theme_color: "#0a100e",
        background_color: "#0a100e",
        display: "standalone",
        start_url: "/",
        icons: [
          { src: "/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
          { src: "/icon-maskable.svg", sizes: "any", type: "image/svg+xml", purpose: "maskable" },
        ],
      },
      injectManifest: {
        globPatterns: ["**/*.{js,css,html,svg}"],
        globIgnores: [`${ENTRANCES_FOLDER}**`],
        // A first visit fetches the frame beforehand and no other screen; those are kept when they are opened.
        manifestTransforms: [
          (entries) => ({
            manifest: entries.filter(({ url }) => !url.startsWith("assets/") || frame.has(url) || fallbacks.has(url)),
            warnings: [],
          }),
        ],
      },
    }),
  ],
  resolve: {
    alias: {
      // Its exports name only the build that warns developers, which is larger.
      ...(process.env.NODE_ENV === "production" && {
        "react-router/dom": here("../node_modules/react-router/dist/production/dom-export.mjs"),
        "react-router": here("../node_modules/react-router/dist/production/index.mjs"),
      }),
      // Radix locks scrolling through this package, which writes <style> elements; our content
      // security policy allows none, so the same sheet goes in as a constructed style sheet.
      "react-style-singleton": here("./src/ui/style-singleton.ts"),
    },
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Two files, so that they are evaluated as two tasks (main.tsx); each with all it imports.
            { name: "react", test: /node_modules\/react(-dom)?\/|vite\/preload-helper/, priority: 2 },
            { name: "app", test: /src\/app\/providers\.tsx$/, priority: 1 },
            // What many screens share: a file for each icon is larger and slower.
            {
              name: "shared",
              test: /lucide-react\/dist\/esm\/icons\/|src\/ui\/(badge|card|hero-header|notice|skeleton|spinner|state)\./,
              minShareCount: 5,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./src/test-setup.ts"],
    restoreMocks: true,
    // Bounds for what hangs, not guesses about the machine: tests of whole screens take seconds on a busy one.
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});

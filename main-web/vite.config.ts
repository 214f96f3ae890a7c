/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { ENTRANCES_FOLDER, PRERENDERED_FOLDER, fallbacks, firstFiles, frame } from "./first-files.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Let the bundler drop the router's contexts and components that no page uses (1 kB). It keeps them by default, because
 * it cannot tell that creating and naming them has no side effects.
 */
const routerTreeShaking: Plugin = {
  name: "router-tree-shaking",
  apply: "build",
  transform: {
    filter: { id: /node_modules\/react-router\/dist\/production\// },
    handler: (code) =>
      code
        .replace(/^[\w.]+\.displayName = "[^"]*";$/gm, "")
        .replace(/^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm, "$1/*#__PURE__*/$2"),
  },
};

export default defineConfig({
  plugins: [
    react(),
    routerTreeShaking,
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
        description: "Swap skills, book local gurus and get help close to home.",
        theme_color: "#0a100e",
        background_color: "#0a100e",
        display: "standalone",
        start_url: "/",
        icons: [
          { src: "/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
          { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
          { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
          { src: "/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
          { src: "/icon-maskable.svg", sizes: "any", type: "image/svg+xml", purpose: "maskable" },
        ],
        screenshots: [
          {
            src: "/screenshot-narrow.png",
            sizes: "390x844",
            type: "image/png",
            form_factor: "narrow",
            label: "Skills and help near you, on a phone",
          },
          {
            src: "/screenshot-wide.png",
            sizes: "1280x800",
            type: "image/png",
            form_factor: "wide",
            label: "Skills and help near you",
          },
        ],
      },
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ["**/*.{js,css,html,svg,woff2}"],
        globIgnores: [`${ENTRANCES_FOLDER}**`, `${PRERENDERED_FOLDER}**`],
        // The first visit precaches only the files of the frame; those of other pages are cached when opened (sw.ts).
        manifestTransforms: [
          (entries) => ({
            manifest: entries.map((entry) =>
              !entry.url.startsWith("assets/") || frame.has(entry.url) || fallbacks.has(entry.url)
                ? entry
                : { ...entry, revision: "later" },
            ),
            warnings: [],
          }),
        ],
      },
    }),
  ],
  resolve: {
    alias: {
      // The package's exports name only the development build, which is larger.
      ...(process.env.NODE_ENV === "production" && {
        "react-router/dom": here("../node_modules/react-router/dist/production/dom-export.mjs"),
        "react-router": here("../node_modules/react-router/dist/production/index.mjs"),
      }),
      // Radix locks scrolling through this package, which appends <style> elements; our content security policy
      // blocks them.
      "react-style-singleton": here("./src/lib/style-singleton.ts"),
      "@": here("./src"),
    },
  },
  // `make dev`: the API takes requests only under its own address.
  server: process.env.PORCHLIGHT_DEV_API
    ? {
        proxy: {
          "^/(api|_mail)(/|$)": {
            target: `http://${process.env.PORCHLIGHT_DEV_API}`,
            headers: {
              host: new URL(process.env.PORCHLIGHT_DEV_MAIN_URL ?? "").host,
              origin: process.env.PORCHLIGHT_DEV_MAIN_URL ?? "",
            },
          },
        },
      }
    : {},
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A page that imports one name of a contract does not load the others.
      treeshake: { moduleSideEffects: [{ test: /\/contract\.ts$/, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            // Two files, so that they are evaluated as two tasks (main.tsx).
            { name: "react", test: /node_modules\/react(-dom)?\/|vite\/preload-helper|rolldown\/runtime/, priority: 2 },
            { name: "app", test: /src\/app\/start\.tsx$/, priority: 1 },
            // Shared by many pages: one file per icon or small module is larger and slower. Those of visitors' first
            // pages are apart from the rest.
            {
              name: "shared",
              test: /lucide-react\/dist\/esm\/icons\/(arrow-right|bell|calendar-(clock|days)|check|chevron-(down|right)|circle-(check|exclamation-point)|clock|cloud-off|eye|eye-off|graduation-cap|hand-helping|heart-handshake|info|lamp|lightbulb|locate-fixed|map-pin|search-x|shield-check|triangle-exclamation-point)\.|src\/components\/(ui|layout)\/(badge|card|hero-header|notice|skeleton|spinner|state)\.|src\/lib\/(safe-href|use-debounced)\.|shared\/format\/(lazy|money|numbers)\.|components\/(profile-link|theme-icon|ui\/avatar|ui\/block-link)\.|src\/lib\/guru-site\.|messages\/components\/message-link\.|porch-lights\/(api\/get-porch-lights|components\/lit-badge|.*\.module\.css)/,
              minShareCount: 5,
            },
            {
              name: "theme-icons",
              test: /lucide-react\/dist\/esm\/icons\/(book-open|camera|dumbbell|eighth-notes|hammer|heart|languages|laptop|leaf|palette|star|utensils)\./,
              minShareCount: 2,
            },
            { name: "icons", test: /lucide-react\/dist\/esm\/icons\//, minShareCount: 5 },
          ],
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./src/testing/setup.ts", "./shared/testing-clock.ts"],
    restoreMocks: true,
    // All files share one page, and React and the app are loaded once: this halves the time. src/testing/ resets the
    // little state that modules keep.
    isolate: false,
    // Upper bounds for hanging tests; tests of whole pages take seconds on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});

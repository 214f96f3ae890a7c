import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { VitePWA } from "vite-plugin-pwa";

/** The files of the first screen's frame: the entry, what it imports outright, and their styles. */
const shell = new Set<string>();
const appShell: Plugin = {
  name: "app-shell",
  apply: "build",
  generateBundle(_options, bundle) {
    const visit = (name: string) => {
      const chunk = bundle[name];
      if (shell.has(name) || chunk?.type !== "chunk") return;
      shell.add(name);
      for (const style of chunk.viteMetadata?.importedCss ?? []) shell.add(style);
      chunk.imports.forEach(visit);
    };
    for (const [name, chunk] of Object.entries(bundle)) if (chunk.type === "chunk" && chunk.isEntry) visit(name);
  },
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [
    react(),
    appShell,
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
        // A first visit fetches the frame beforehand and no other screen; those are kept when they are opened.
        manifestTransforms: [
          (entries) => ({ manifest: entries.filter(({ url }) => !url.startsWith("assets/") || shell.has(url)), warnings: [] }),
        ],
      },
    }),
  ],
  resolve: {
    alias: {
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
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./src/test-setup.ts"],
    restoreMocks: true,
    testTimeout: 20_000,
  },
});

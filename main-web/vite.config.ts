import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { VitePWA } from "vite-plugin-pwa";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [
    react(),
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

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { releasePresses } from "@/lib/early-input";
import { boot } from "./boot";

const BUTTON = '<button type="button">Change</button>';

/** Boot a prerendered page and return its root. */
function bootPage(): HTMLElement {
  document.body.innerHTML = `<template id="files"><link rel="modulepreload" href="/app.js">
    <link rel="stylesheet" href="/app.css"></template><div id="root" data-prerendered>${BUTTON}</div><template id="splash"><p>Loading</p></template>`;
  const root = document.getElementById("root");
  if (!root) throw new Error("no root");
  boot(root);
  return root;
}

const links = () =>
  [...document.head.querySelectorAll("link")].map(({ rel, disabled }) => (disabled ? `disabled ${rel}` : rel));

beforeEach(() => {
  document.head.innerHTML = "";
  vi.stubGlobal("PerformanceObserver", { supportedEntryTypes: [] });
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = "";
  document.body.innerHTML = "";
});

it("names the app's files and keeps its inline styles", () => {
  bootPage();
  expect(links()).toEqual(["modulepreload", "disabled stylesheet"]);
});

it("holds presses until the app takes over", () => {
  const root = bootPage();
  const button = root.querySelector("button");
  button?.click();
  const pressed = vi.fn();
  button?.addEventListener("click", pressed);
  releasePresses(root);
  expect(pressed).toHaveBeenCalledOnce();
});

it("shows the loading screen to users who were signed in", () => {
  localStorage.setItem("porchlight.signed-in", "1");
  const root = bootPage();
  expect(root.innerHTML).toBe("<p>Loading</p>");
  expect(root.dataset.prerendered).toBeUndefined();
});

it("waits for the first paint where that is reported", () => {
  const paints: (() => void)[] = [];
  let isPainted = false;
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      static readonly supportedEntryTypes = ["paint"];
      constructor(notify: (list: unknown, observer: unknown) => void) {
        const list = { getEntriesByName: () => (isPainted ? [{}] : []) };
        paints.push(() => notify(list, this));
      }
      observe() {
        return undefined;
      }
      disconnect() {
        return undefined;
      }
    },
  );
  bootPage();
  paints[0]?.();
  expect(links()).toEqual([]);
  isPainted = true;
  paints[0]?.();
  expect(links()).toEqual(["modulepreload", "disabled stylesheet"]);
});

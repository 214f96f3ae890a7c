import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { currentToasts, dismissToast } from "./ui/toast-store";

// Lazy screens are compiled on their first visit, which takes a while on a small machine that has other things to do.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no layout; scrolling is nothing there.
window.scrollTo = () => undefined;
HTMLElement.prototype.scrollIntoView = () => undefined;
HTMLElement.prototype.hasPointerCapture = () => false;

beforeEach(() => localStorage.clear());

afterEach(() => {
  cleanup();
  for (const { id } of currentToasts()) dismissToast(id);
});

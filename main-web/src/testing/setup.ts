import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { currentToasts, dismissToast } from "@/lib/toast-store";

// Lazy pages are compiled on first use, which is slow on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no layout, so scrolling does nothing.
window.scrollTo = () => undefined;
HTMLElement.prototype.scrollIntoView = () => undefined;
HTMLElement.prototype.hasPointerCapture = () => false;

beforeEach(() => localStorage.clear());

afterEach(() => {
  cleanup();
  for (const { id } of currentToasts()) dismissToast(id);
});

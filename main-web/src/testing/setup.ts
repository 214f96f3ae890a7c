import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { setTokenRenewal, setTokenSource } from "@/lib/api-client";
import { keptMemory } from "@/lib/kept-memory";
import { endImpersonation } from "@/lib/impersonation";
import { currentToasts, dismissToast } from "@/lib/toast-store";
import { closeVerifyEmailSheet } from "@/lib/verify-email-store";
import { speedUpDom } from "./fast-dom";

speedUpDom();

// Lazy pages are compiled on first use, which is slow on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no layout, so scrolling does nothing.
window.scrollTo = () => undefined;
HTMLElement.prototype.scrollIntoView = () => undefined;
HTMLElement.prototype.hasPointerCapture = () => false;

const noToken = () => Promise.resolve(null);

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

// All that outlives a page: files share the modules (`isolate: false`).
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  setTokenSource(noToken);
  setTokenRenewal(noToken);
  endImpersonation();
  keptMemory.clear();
  closeVerifyEmailSheet();
  for (const { id } of currentToasts()) dismissToast(id);
});

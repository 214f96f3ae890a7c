import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, type RouteObject } from "react-router-dom";
import { vi } from "vitest";
import { queries } from "@/app/providers";
import { otherRoutes } from "@/app/other-routes";
import { patchRoutesOnNavigation, routes } from "@/app/routes";
import { LimitSheetHost } from "@/features/billing/components/limit-sheet-host";
import { VerifyEmailHost } from "@/features/auth/components/verify-email-host";
import { Splash } from "@/components/ui/splash";
import { Toaster } from "@/components/ui/toaster";
import { keptMemory } from "@/lib/kept-memory";
import { SessionProvider } from "@/lib/session/session-provider";
import { FakeIdentity } from "@/testing/fake-identity";
import { api } from "./api-stub";
import { viewers } from "./recorded-answers";

/** More rounds than any page needs; a page that asks again and again never settles. */
const MAX_ROUNDS = 200;

/** Open the app's page at an address, as this viewer. */
export async function openPage(viewer: string, address: string) {
  closePage();
  api.viewer = viewer;
  const identity = new FakeIdentity();
  const user = viewers[viewer];
  if (user?.email) {
    identity.user = { ...user, photoURL: null, emailVerified: true };
    localStorage.setItem("porchlight.signed-in", String(Date.now()));
    localStorage.setItem("porchlight.user", JSON.stringify(identity.user));
  }
  const router = createMemoryRouter(routes, { patchRoutesOnNavigation, initialEntries: [address] });
  // eslint-disable-next-line @typescript-eslint/require-await -- only an asynchronous act waits for lazy routes.
  await act(async () => {
    render(
      <QueryClientProvider client={queries}>
        <SessionProvider fallback={<Splash />} openIdentity={identity.open}>
          <RouterProvider router={router} />
          <VerifyEmailHost />
        </SessionProvider>
        <Toaster />
        <LimitSheetHost />
      </QueryClientProvider>,
    );
  });
  return router;
}

/** Close the page and forget what it loaded. */
export function closePage() {
  cleanup();
  queries.clear();
  localStorage.clear();
  keptMemory.clear();
  sessionStorage.clear();
}

/** Wait until the page has nothing to load, and has drawn what it has. */
export async function settle() {
  let changes = 0;
  const observer = new MutationObserver(() => (changes += 1));
  observer.observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
  try {
    let calm = 0;
    for (let round = 0; calm < 2; round += Number(api.pending === 0)) {
      if (round > MAX_ROUNDS) throw new Error("The page never settles.");
      const before = changes + api.calls.length;
      await act(async () => {
        await vi.dynamicImportSettled();
        await new Promise((resolve) => setTimeout(resolve, 0));
      });
      calm = api.pending === 0 && changes + api.calls.length === before ? calm + 1 : 0;
    }
  } finally {
    observer.disconnect();
  }
}

/** Return the path of every page of the router. Those that only lead elsewhere have none. */
export function pagePaths(all: RouteObject[] = [...routes, ...otherRoutes]): string[] {
  return all.flatMap(({ path, children }) => [...(path && path !== "*" ? [path] : []), ...pagePaths(children ?? [])]);
}

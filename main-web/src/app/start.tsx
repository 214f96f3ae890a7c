import { startTransition, StrictMode, useEffect, useLayoutEffect } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { enterEarlyInput, moveEarlyInput, releasePresses } from "@/lib/early-input";
import { surviveTranslation } from "@/lib/translated-pages";
import { restoreTypedText } from "@/lib/typed-text";
import { pageLoaded } from "./page-loaded";
import { Providers } from "./providers";
import { router } from "./router";

/** Show the app in `root`, or let it take over the prerendered page that is there. */
export async function start(root: HTMLElement): Promise<void> {
  surviveTranslation();
  const app = (
    <StrictMode>
      <Providers router={router} />
      <EarlyInput root={root} />
    </StrictMode>
  );
  const takesOver = root.dataset.prerendered !== undefined && (await pageLoaded(router));
  // Rendering in a transition is interruptible, so that slow phones stay responsive.
  startTransition(() => {
    if (takesOver) hydrateRoot(root, app);
    else createRoot(root).render(app);
  });
  // React listens from here on: a press that arrives before it is done is done first.
  releasePresses(root);
  restoreTypedText(window.location.pathname);
}

/** Enters what was entered before the app was rendered. */
function EarlyInput({ root }: { root: HTMLElement }) {
  // In the same task, because what is typed meanwhile would go nowhere.
  useLayoutEffect(() => moveEarlyInput(root), [root]);
  // After the effects of the pages, which prepare their handlers.
  useEffect(() => enterEarlyInput(root), [root]);
  return null;
}

import { lazy, Suspense, useSyncExternalStore, type ComponentType } from "react";
import { currentLimit, subscribeLimitSheet, type ReachedLimit } from "@/lib/limit-sheet-store";

// Few visits reach a limit, so the sheet is loaded with the first one. Without it, the form shows the message.
const LimitSheet = lazy<ComponentType<{ reached: ReachedLimit }>>(async () => {
  try {
    return { default: (await import("./limit-sheet")).LimitSheet };
  } catch (reason) {
    console.warn("The limit sheet couldn't be loaded.", reason);
    return { default: () => null };
  }
});

/** Show the limit sheet when a change reaches a limit of the user's plan. */
export function LimitSheetHost() {
  const reached = useSyncExternalStore(subscribeLimitSheet, currentLimit, () => null);
  return reached ? (
    <Suspense fallback={null}>
      <LimitSheet reached={reached} />
    </Suspense>
  ) : null;
}

import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";
import { currentToasts, subscribeToasts } from "./toast-store";

// Most visits never show a toast; its code comes with the first one. Without a connection the words are lost, the page is not.
const Toaster = lazy<ComponentType>(async () => {
  try {
    return { default: (await import("./toaster")).Toaster };
  } catch (reason) {
    console.warn("Toasts could not be loaded.", reason);
    return { default: () => null };
  }
});

/** Mounts the toasts from the first one on. */
export function ToastHost() {
  const [wanted, setWanted] = useState(() => currentToasts().length > 0);
  useEffect(() => subscribeToasts(() => setWanted(true)), []);
  return wanted ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}

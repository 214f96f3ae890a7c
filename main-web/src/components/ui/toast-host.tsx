import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";
import { currentToasts, subscribeToasts } from "@/lib/toast-store";

// Most visits never show a toast, so its code is loaded with the first one. Offline, the toast is lost but the page
// works.
const Toaster = lazy<ComponentType>(async () => {
  try {
    return { default: (await import("./toaster")).Toaster };
  } catch (reason) {
    console.warn("Toasts couldn't be loaded.", reason);
    return { default: () => null };
  }
});

/** Mount the toaster with the first toast. */
export function ToastHost() {
  const [isNeeded, setIsNeeded] = useState(() => currentToasts().length > 0);
  useEffect(() => subscribeToasts(() => setIsNeeded(true)), []);
  return isNeeded ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}

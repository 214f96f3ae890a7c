import { lazy, Suspense, useSyncExternalStore, type ComponentType } from "react";
import { isVerifyEmailAsked, subscribeVerifyEmailSheet } from "@/lib/verify-email-store";

// Few visits need the sheet. Without it, the form shows the server's message.
const VerifyEmailSheet = lazy<ComponentType>(async () => {
  try {
    return { default: (await import("./verify-email-sheet")).VerifyEmailSheet };
  } catch (reason) {
    console.warn("The sheet about the email address couldn't be loaded.", reason);
    return { default: () => null };
  }
});

/** Ask to verify the email address when the server refuses something without that. */
export function VerifyEmailHost() {
  const isAsked = useSyncExternalStore(subscribeVerifyEmailSheet, isVerifyEmailAsked, () => false);
  return isAsked ? (
    <Suspense fallback={null}>
      <VerifyEmailSheet />
    </Suspense>
  ) : null;
}

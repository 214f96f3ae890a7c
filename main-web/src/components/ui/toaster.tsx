import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import * as Radix from "radix-ui/toast";
import { useSyncExternalStore } from "react";
import { cx } from "@/lib/cx";
import { currentToasts, dismissToast, subscribeToasts } from "@/lib/toast-store";
import styles from "./toaster.module.css";

const ICONS = { success: CircleCheck, error: CircleAlert, info: Info };

/** Milliseconds a toast is shown (SPEC 9); hovering, focusing or leaving the window pauses the timer. */
export const TOAST_DURATION = 4000;
/** The time to reach the action of a toast. */
const ACTION_DURATION = 10_000;

/** The toasts, newest at the bottom, announced to screen readers; F8 moves focus to them. */
export function Toaster() {
  const items = useSyncExternalStore(subscribeToasts, currentToasts);
  return (
    <Radix.Provider duration={TOAST_DURATION} swipeDirection="right" label="Notification">
      {items.map(({ id, tone, text, action }) => {
        const Icon = ICONS[tone];
        return (
          <Radix.Root
            key={id}
            className={cx(styles.toast, styles[tone])}
            duration={action ? ACTION_DURATION : TOAST_DURATION}
            type={tone === "error" ? "foreground" : "background"}
            onOpenChange={(open) => !open && dismissToast(id)}
          >
            <Icon size={18} aria-hidden="true" />
            <Radix.Description className={styles.text}>{text}</Radix.Description>
            {action && (
              <Radix.Action
                className={styles.action}
                altText={`${action.label} with F8 and Enter`}
                onClick={action.run}
              >
                {action.label}
              </Radix.Action>
            )}
            <Radix.Close className={styles.close} aria-label="Dismiss">
              <X size={16} aria-hidden="true" />
            </Radix.Close>
          </Radix.Root>
        );
      })}
      <Radix.Viewport className={styles.viewport} />
    </Radix.Provider>
  );
}

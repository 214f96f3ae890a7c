import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import styles from "./dialog.module.css";
import { PORTAL_BOUNDARY } from "./portal-boundary";
import { useDialogFocus } from "./use-dialog-focus";

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
  footer?: ReactNode;
  /** Maximum width in pixels; admin pages use 800 (SPEC 9). */
  width?: number;
  fullScreenOnPhones?: boolean;
  /** Where the focus starts: at the first field, or at the top, for a text that is read before its fields. */
  startsAt?: "field" | "top";
};

/** A modal dialog: starts at its first field, traps focus, closes on Escape and on a press outside, and returns focus. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  width = 480,
  fullScreenOnPhones = false,
  startsAt = "field",
}: DialogProps) {
  const focus = useDialogFocus(startsAt);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          className={cx(styles.content, fullScreenOnPhones && styles.fullScreen)}
          style={{ maxWidth: width }}
          {...PORTAL_BOUNDARY}
          {...focus}
          {...(!description && { "aria-describedby": undefined })}
        >
          <header className={styles.header}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Close className={styles.close} aria-label="Close">
              <X size={18} aria-hidden="true" />
            </Radix.Close>
          </header>
          {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

import * as Radix from "radix-ui/alert-dialog";
import type { ReactNode } from "react";
import { Button } from "./button";
import styles from "./dialog.module.css";
import { PORTAL_BOUNDARY } from "./portal-boundary";
import { useDialogFocus } from "./use-dialog-focus";

type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The consequences of the action, announced with the title. */
  description?: string;
  /** Label of the confirm button. */
  action: string;
  actionVariant?: "danger" | "primary";
  /** Label of the cancel button. */
  cancel?: string;
  busy?: boolean;
  onConfirm: () => void;
  /** More content below the description, announced too when there is no description. */
  children?: ReactNode;
};

const MAX_WIDTH = 480;

/** Ask before an action: an alert dialog that starts at the cancel button and stays open on a press outside. */
export function Confirm({
  open,
  onOpenChange,
  title,
  description,
  action,
  actionVariant = "danger",
  cancel = "Cancel",
  busy = false,
  onConfirm,
  children,
}: ConfirmProps) {
  const focus = useDialogFocus("top");
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content className={styles.content} style={{ maxWidth: MAX_WIDTH }} {...PORTAL_BOUNDARY} {...focus}>
          <header className={styles.header}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
          </header>
          {description === undefined ? (
            <Radix.Description asChild>
              <div className={styles.body}>{children}</div>
            </Radix.Description>
          ) : (
            <>
              <Radix.Description className={styles.description}>{description}</Radix.Description>
              {children && <div className={styles.body}>{children}</div>}
            </>
          )}
          <footer className={styles.footer}>
            <Radix.Cancel asChild>
              <Button variant="ghost">{cancel}</Button>
            </Radix.Cancel>
            <Button variant={actionVariant} loading={busy} onClick={onConfirm}>
              {action}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

import type { ReactNode } from "react";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";

type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What the button does. */
  action: string;
  busy: boolean;
  onConfirm: () => void;
  children: ReactNode;
};

/** Asks before something that cannot be undone. */
export function Confirm({ open, onOpenChange, title, action, busy, onConfirm, children }: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant="danger" loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

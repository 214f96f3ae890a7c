import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "./button";
import styles from "./dialog-form.module.css";

/** The end of a dialog's form: what happened, and a button that closes it. Takes the focus. */
export function DialogDone({ message, onClose }: { message: string; onClose: () => void }) {
  const done = useRef<HTMLDivElement>(null);
  useEffect(() => done.current?.focus(), []);
  return (
    <div className={styles.done} ref={done} tabIndex={-1} role="status">
      <CircleCheck size={28} aria-hidden="true" />
      <p>{message}</p>
      <Button variant="secondary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}

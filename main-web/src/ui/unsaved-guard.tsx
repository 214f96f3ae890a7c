import { useEffect } from "react";
import { useBlocker } from "react-router-dom";
import { Button } from "./button";
import { Dialog } from "./dialog";
import styles from "./unsaved-guard.module.css";

/**
 * Asks before typed words are lost, by going to another page of ours or by closing the tab.
 * @param unsaved whether there is anything to lose
 */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);

  if (blocker.state !== "blocked") return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) blocker.reset();
      }}
      title="Leave without saving?"
      description="What you changed on this page is not saved yet."
    >
      <div className={styles.buttons}>
        <Button variant="ghost" onClick={() => blocker.proceed()}>
          Leave
        </Button>
        <Button onClick={() => blocker.reset()}>Stay on this page</Button>
      </div>
    </Dialog>
  );
}

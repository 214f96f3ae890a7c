import { useEffect } from "react";
import { useBlocker } from "react-router-dom";
import { Confirm } from "./confirm";

/**
 * Ask before unsaved input is lost by navigating away or closing the tab.
 * @param unsaved whether there is unsaved input
 */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!unsaved) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventUnload);
    return () => window.removeEventListener("beforeunload", preventUnload);
  }, [unsaved]);

  if (blocker.state !== "blocked") return null;
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) blocker.reset();
      }}
      title="Leave without saving?"
      description="You have unsaved changes."
      cancel="Stay on this page"
      action="Leave"
      onConfirm={() => blocker.proceed()}
    />
  );
}

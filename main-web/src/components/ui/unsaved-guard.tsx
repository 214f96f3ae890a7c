import { useEffect } from "react";
import { useBlocker } from "react-router-dom";
import { Confirm } from "./confirm";

/** The forms on the page with unsaved input. */
const unsavedForms = new Set<symbol>();

/**
 * Ask before unsaved input is lost by navigating away or closing the tab.
 * @param unsaved whether there is unsaved input
 */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  // The router asks only one blocker of a page, so each one answers for all forms.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsavedForms.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!unsaved) return;
    const form = Symbol("form");
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    unsavedForms.add(form);
    window.addEventListener("beforeunload", preventUnload);
    return () => {
      unsavedForms.delete(form);
      window.removeEventListener("beforeunload", preventUnload);
    };
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

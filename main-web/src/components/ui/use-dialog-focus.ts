import { useRef } from "react";

/** Fields that a dialog may start with: not those that are only read, hidden or chosen by a button. */
const FIRST_FIELD = ["input:not([type=hidden], [type=file], [readonly])", "select", "textarea:not([readonly])"]
  .map((field) => `${field}:not(:disabled)`)
  .join(", ");

/**
 * The focus of a modal dialog: it starts at the first field, unless it starts at the top, and returns to where it was. Radix returns it to a trigger
 * of its own only, which our dialogs do not have.
 */
export function useDialogFocus(startsAt: "field" | "top") {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      if (startsAt === "top") return;
      const fields = [...(event.target as HTMLElement).querySelectorAll<HTMLInputElement>(FIRST_FIELD)];
      const [first] = fields;
      // The selected one of a group of radio buttons is its tab stop.
      const selected = fields.find(({ type, name, checked }) => type === "radio" && checked && name === first?.name);
      const start = selected ?? first;
      if (!start) return;
      event.preventDefault();
      start.focus();
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      // The page has moved the focus already, for example to the heading after a navigation.
      if (document.activeElement && document.activeElement !== document.body) return;
      if (opener.current?.isConnected && opener.current !== document.body) {
        opener.current.focus();
        if (document.activeElement === opener.current) return;
      }
      // What was pressed is gone, for example with the row that it deleted.
      const heading = document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    },
  };
}

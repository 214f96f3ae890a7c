import type { DOMAttributes, SyntheticEvent } from "react";

function stop(event: SyntheticEvent) {
  event.stopPropagation();
}

/**
 * Handlers for the root of a portal. React passes the events of a portal on to the components around it: without this,
 * a form in a dialog also submits the form that opened the dialog. Focus events pass, because the focus trap needs them.
 */
export const PORTAL_BOUNDARY = {
  onSubmit: stop,
  onReset: stop,
  onChange: stop,
  onInput: stop,
  onClick: stop,
  onKeyDown: stop,
  onKeyUp: stop,
  onPaste: stop,
  onDragOver: stop,
  onDrop: stop,
} satisfies DOMAttributes<HTMLElement>;

import type { PointerEvent as PressEvent } from "react";

const DRAG_PIXELS = 5;

type Handlers = {
  /** Called for each movement, from the first that is no click on. */
  onDrag: (event: PointerEvent) => void;
  onDrop: (event: PointerEvent) => void;
  /** Called on Escape, and when the browser takes the pointer away. */
  onCancel: () => void;
};

/** Follow a pressed mouse or pen until it is released. A finger scrolls the page instead. */
export function followPointer(pressed: PressEvent, { onDrag, onDrop, onCancel }: Handlers) {
  if (pressed.button !== 0 || pressed.pointerType === "touch") return;
  const { clientX, clientY } = pressed;
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true };
  let isDragged = false;

  window.addEventListener(
    "pointermove",
    (event) => {
      isDragged ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) >= DRAG_PIXELS;
      if (isDragged) onDrag(event);
    },
    options,
  );
  window.addEventListener(
    "pointerup",
    (event) => {
      listening.abort();
      if (!isDragged) return;
      ignoreNextClick();
      onDrop(event);
    },
    options,
  );
  const cancel = () => {
    listening.abort();
    if (isDragged) onCancel();
  };
  window.addEventListener("pointercancel", cancel, options);
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      cancel();
    },
    options,
  );
}

/** A release on what was pressed is also a click, in the same task. */
function ignoreNextClick() {
  const ignore = (event: MouseEvent) => event.stopPropagation();
  window.addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", ignore, { capture: true }), 0);
}

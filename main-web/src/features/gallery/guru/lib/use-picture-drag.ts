import { useState, type PointerEvent } from "react";

/** What a dragged picture is over: another picture, or a spot. */
export type DropTarget = { picture: string | undefined; spot: string };
type Drag = { key: string; over: DropTarget | null };

/** Pixels from the edge of the window at which the page scrolls along. */
const EDGE = 72;
const SCROLL_STEP = 16;

/** Drag pictures by their handles, with a mouse or a finger. Elements say with `data-picture`, `data-spot` what they are. */
export function usePictureDrag(onDrop: (key: string, target: DropTarget) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);

  /** Return the props of the handle of a picture. */
  const handleOf = (key: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ key, over: null });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag?.key !== key) return;
      scrollAtEdge(event.clientY);
      setDrag({ key, over: targetAt(event) });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (drag?.key !== key) return;
      setDrag(null);
      const target = targetAt(event);
      if (target && target.picture !== key) onDrop(key, target);
    },
    onPointerCancel: () => setDrag(null),
  });

  return { drag, handleOf };
}

function targetAt({ clientX, clientY }: PointerEvent): DropTarget | null {
  const element = document.elementFromPoint(clientX, clientY);
  const spot = element?.closest<HTMLElement>("[data-spot]")?.dataset.spot;
  if (spot === undefined) return null;
  return { spot, picture: element?.closest<HTMLElement>("[data-picture]")?.dataset.picture };
}

function scrollAtEdge(y: number) {
  if (y < EDGE) window.scrollBy(0, -SCROLL_STEP);
  else if (y > window.innerHeight - EDGE) window.scrollBy(0, SCROLL_STEP);
}

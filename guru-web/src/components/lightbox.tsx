import { type KeyboardEvent, type TouchEvent, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

import type { Picture } from "../lib/types";
import { Icon } from "./ui/icon";

const MIN_SWIPE_PIXELS = 40;

interface LightboxProps {
  pictures: readonly Picture[];
  /** The index of the picture that is shown first. */
  first: number;
  onClose: () => void;
}

/** Show a picture as large as the window, until the visitor closes it. */
export function openLightbox(pictures: readonly Picture[], first: number): void {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const close = () => {
    root.unmount();
    container.remove();
  };
  root.render(<Lightbox pictures={pictures} first={first} onClose={close} />);
}

/** One picture, with what is seen on it, and the ways to the others. */
function Lightbox({ pictures, first, onClose }: LightboxProps) {
  const [at, setAt] = useState(first);
  const dialog = useRef<HTMLDialogElement>(null);
  const touch = useRef<number | null>(null);
  // The browser keeps the focus inside, closes on Escape, and gives the focus back.
  useEffect(() => dialog.current?.showModal(), []);
  const picture = pictures[at];
  if (picture === undefined) return null;
  const count = pictures.length;
  const move = (step: number) => setAt((at + step + count) % count);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") move(-1);
    if (key === "ArrowRight") move(1);
  };
  const onTouchEnd = ({ changedTouches, touches }: TouchEvent) => {
    const way = (changedTouches[0]?.clientX ?? 0) - (touch.current ?? NaN);
    if (touches.length === 0 && Math.abs(way) >= MIN_SWIPE_PIXELS) move(way < 0 ? 1 : -1);
    touch.current = null;
  };
  return (
    // Its buttons do the same as its keys and gestures.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="lightbox"
      aria-label="Pictures"
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        if (!(target instanceof Element && target.closest("img, button, figcaption"))) dialog.current?.close();
      }}
      onTouchStart={({ touches }) => {
        touch.current = touches.length === 1 ? (touches[0]?.clientX ?? null) : null;
      }}
      onTouchEnd={onTouchEnd}
    >
      <figure>
        <img
          key={at}
          alt=""
          width={picture.width}
          height={picture.height}
          sizes="100vw"
          srcSet={picture.srcset}
          src={picture.src}
        />
        <figcaption aria-live="polite">
          <span>{picture.alt}</span>
          {count > 1 && (
            <small>
              {at + 1} of {count}
            </small>
          )}
        </figcaption>
      </figure>
      <button type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
        <Icon name="x" />
      </button>
      {count > 1 && (
        <>
          <button type="button" aria-label="Previous picture" onClick={() => move(-1)}>
            <Icon name="arrow-left" />
          </button>
          <button type="button" aria-label="Next picture" onClick={() => move(1)}>
            <Icon name="arrow-right" />
          </button>
        </>
      )}
    </dialog>
  );
}

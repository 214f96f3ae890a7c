import type { KeyboardEvent, PointerEvent } from "react";
import { Hint } from "@/components/ui/hint";
import styles from "./focus-point.module.css";

/** What arrow keys move the point by, in percent. */
const STEP = 5;
const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

type Point = { focusX: number; focusY: number };
type FocusPointProps = {
  src: string;
  width: number;
  height: number;
  point: Point;
  onChange: (point: Point) => void;
};

/** Sets the point of a picture that every crop keeps: by a press on the picture, or with the arrow keys. */
export function FocusPoint({ src, width, height, point, onChange }: FocusPointProps) {
  const { focusX, focusY } = point;
  const set = (x: number, y: number) => onChange({ focusX: percent(x), focusY: percent(y) });

  function pointAt(event: PointerEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    set(((event.clientX - box.left) / box.width) * 100, ((event.clientY - box.top) / box.height) * 100);
  }

  function handleKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    set(focusX + step[0], focusY + step[1]);
  }

  const fromLeft = `${focusX}% from the left`;
  const fromTop = `${focusY}% from the top`;
  const axis = { min: 0, max: 100, step: STEP, onKeyDown: handleKeyDown } as const;
  return (
    <div role="group" aria-label="Focus of the picture" className={styles.control}>
      <div
        className={styles.picture}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          pointAt(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && pointAt(event)}
      >
        <img src={src} alt="" width={width} height={height} draggable={false} />
        <input
          type="range"
          {...axis}
          className={styles.axis}
          aria-label="From the left"
          aria-valuetext={fromLeft}
          value={focusX}
          onChange={(event) => set(Number(event.target.value), focusY)}
        />
        <input
          type="range"
          {...axis}
          className={styles.axis}
          aria-label="From the top"
          aria-orientation="vertical"
          aria-valuetext={fromTop}
          value={focusY}
          onChange={(event) => set(focusX, Number(event.target.value))}
        />
        <span className={styles.marker} style={{ left: `${focusX}%`, top: `${focusY}%` }} aria-hidden="true" />
      </div>
      <Hint>Tap what matters most, or use the arrow keys. It stays in view when the picture is cropped.</Hint>
      <p className={styles.live} role="status">
        {`${fromLeft}, ${fromTop}`}
      </p>
    </div>
  );
}

const percent = (value: number) => Math.round(Math.min(100, Math.max(0, value)));

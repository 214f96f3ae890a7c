import { useEffect, useEffectEvent, useId, useState } from "react";
import type SignaturePad from "signature_pad";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toLines, toPoints, type Lines } from "../lib/drawing";
import styles from "./signature-drawing.module.css";

/** One width, because the pressure and the speed of the pen are not kept. */
const PEN_PIXELS = 2;
const MS_PER_POINT = 20;

type SignatureDrawingProps = { lines: Lines; onChange: (lines: Lines) => void };

/** A drawn signature by finger, pen or mouse. It is optional: the typed name is the signature. */
export function SignatureDrawing({ lines, onChange }: SignatureDrawingProps) {
  const hintId = useId();
  const [isOpen, setIsOpen] = useState(lines.length > 0);
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [pad, setPad] = useState<SignaturePad | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const isEmpty = lines.length === 0;

  const draw = useEffectEvent((target: HTMLCanvasElement, drawn: SignaturePad) => {
    const ratio = Math.max(window.devicePixelRatio || 1, 1);
    const area = { width: target.clientWidth, height: target.clientHeight };
    target.width = Math.round(area.width * ratio);
    target.height = Math.round(area.height * ratio);
    target.getContext("2d")?.scale(ratio, ratio);
    drawn.clear();
    const pen = {
      penColor: drawn.penColor,
      dotSize: PEN_PIXELS,
      minWidth: PEN_PIXELS,
      maxWidth: PEN_PIXELS,
      velocityFilterWeight: drawn.velocityFilterWeight,
      compositeOperation: drawn.compositeOperation,
    };
    const points = toPoints(lines, area).map((line) =>
      line.map((point, index) => ({ ...point, pressure: 0.5, time: index * MS_PER_POINT })),
    );
    drawn.fromData(points.map((line) => ({ ...pen, points: line })));
  });
  const keep = useEffectEvent((target: HTMLCanvasElement, drawn: SignaturePad) =>
    onChange(toLines(drawn.toData(), { width: target.clientWidth, height: target.clientHeight })),
  );

  useEffect(() => {
    if (!canvas) return undefined;
    let created: SignaturePad | undefined;
    let observer: ResizeObserver | undefined;
    let isGone = false;
    async function start(target: HTMLCanvasElement) {
      const { default: Pad } = await import("signature_pad");
      if (isGone) return;
      const drawn = new Pad(target, {
        minWidth: PEN_PIXELS,
        maxWidth: PEN_PIXELS,
        dotSize: PEN_PIXELS,
        penColor: getComputedStyle(target).color,
      });
      created = drawn;
      drawn.addEventListener("endStroke", () => keep(target, drawn));
      // Also draws what was drawn before: the first call comes at once.
      observer = new ResizeObserver(() => draw(target, drawn));
      observer.observe(target);
      setPad(drawn);
    }
    start(canvas).catch(() => setHasFailed(true));
    return () => {
      isGone = true;
      observer?.disconnect();
      created?.off();
    };
  }, [canvas]);

  if (!isOpen) {
    return (
      <div className={styles.row}>
        <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)} aria-describedby={hintId}>
          Draw your signature
        </Button>
        <span id={hintId} className={styles.soft}>
          Optional. Your typed name is enough.
        </span>
      </div>
    );
  }
  if (hasFailed) {
    return <Notice tone="warning">We couldn't load the drawing area. Your typed name is enough.</Notice>;
  }
  return (
    <div className={styles.drawing}>
      <div
        role="img"
        aria-busy={!pad}
        aria-label={isEmpty ? "Drawing area for your signature, empty" : "Your drawn signature"}
      >
        <canvas ref={setCanvas} className={styles.canvas} />
      </div>
      <div className={styles.row}>
        <p className={styles.soft} role="status">
          {isEmpty
            ? "Sign here with your finger or mouse. It's optional: your typed name is enough."
            : "Your drawn signature goes into your receipt."}
        </p>
        <Button
          variant="ghost"
          size="sm"
          disabled={isEmpty}
          onClick={() => {
            pad?.clear();
            onChange([]);
          }}
        >
          Clear drawing
        </Button>
      </div>
    </div>
  );
}

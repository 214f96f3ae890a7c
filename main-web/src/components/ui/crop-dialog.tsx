import { useEffect, useState } from "react";
import { CENTERED, drawCrop, canvasToJpeg, CROP_SIZE, type Crop } from "@/lib/image-crop";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Notice } from "./notice";
import styles from "./crop-dialog.module.css";

type CropDialogProps = {
  image: ImageBitmap;
  saving: boolean;
  /** Why the square could not be saved, or "". */
  problem: string;
  onSave: (square: Promise<Blob>) => void;
  onClose: () => void;
};

const SLIDERS: { name: keyof Crop; label: string; min: number; max: number }[] = [
  { name: "zoom", label: "Zoom", min: 1, max: 4 },
  { name: "x", label: "Left to right", min: 0, max: 1 },
  { name: "y", label: "Top to bottom", min: 0, max: 1 },
];

/** Crops an image to a square, with sliders for pointer and keyboard. */
export function CropDialog({ image, saving, problem, onSave, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState(CENTERED);
  // State instead of a ref, because the dialog mounts its content after this has rendered.
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (canvas) drawCrop(canvas, image, crop);
  }, [canvas, image, crop]);

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Your photo"
      description="Drag to choose what neighbors will see."
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={saving} onClick={() => canvas && onSave(canvasToJpeg(canvas))}>
            Use this photo
          </Button>
        </>
      }
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div role="img" aria-label="Preview of your photo">
        <canvas ref={setCanvas} width={CROP_SIZE} height={CROP_SIZE} className={styles.canvas} />
      </div>
      {SLIDERS.map(({ name, label, min, max }) => (
        <label key={name} className={styles.slider}>
          <span>{label}</span>
          <input
            type="range"
            min={min}
            max={max}
            step={0.02}
            value={crop[name]}
            onChange={(event) => setCrop({ ...crop, [name]: event.target.valueAsNumber })}
          />
        </label>
      ))}
    </Dialog>
  );
}

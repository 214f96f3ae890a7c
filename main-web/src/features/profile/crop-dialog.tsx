import { useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { CENTERED, draw, pictureOf, SIDE, type Crop } from "./crop";
import styles from "./profile.module.css";

type CropDialogProps = {
  picture: ImageBitmap;
  saving: boolean;
  onSave: (square: Promise<Blob>) => void;
  onClose: () => void;
};

const SLIDERS: { name: keyof Crop; label: string; min: number; max: number }[] = [
  { name: "zoom", label: "Zoom", min: 1, max: 4 },
  { name: "x", label: "Left to right", min: 0, max: 1 },
  { name: "y", label: "Top to bottom", min: 0, max: 1 },
];

/** Chooses the square of a picture, by sliders that pointer and keyboard move alike. */
export function CropDialog({ picture, saving, onSave, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState(CENTERED);
  // State rather than a ref: the dialog brings its content onto the page after this has rendered.
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (canvas) draw(canvas, picture, crop);
  }, [canvas, picture, crop]);

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Your photo"
      description="Move the square to what neighbors should see."
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={saving} onClick={() => canvas && onSave(pictureOf(canvas))}>
            Use this photo
          </Button>
        </>
      }
    >
      <div role="img" aria-label="Preview of your photo">
        <canvas ref={setCanvas} width={SIDE} height={SIDE} className={styles.canvas} />
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

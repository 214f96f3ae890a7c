import { Camera } from "lucide-react";
import { useRef, useState } from "react";
import { isImageFile, INVALID_IMAGE_MESSAGE } from "@/lib/image-files";
import { Button } from "./button";
import { CropDialog } from "./crop-dialog";
import { ImageInput } from "./image-input";

type PhotoButtonProps = {
  label: string;
  /** Saves the square; shows its own errors and never rejects. The dialog closes afterwards. */
  onSave: (square: Blob) => Promise<void>;
  /** Receives the message for a file that is no image, and "" when another one is chosen. */
  onError: (message: string) => void;
};

/** A button that chooses a photo and crops it to a square. */
export function PhotoButton({ label, onSave, onError }: PhotoButtonProps) {
  const file = useRef<HTMLInputElement>(null);
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const [saving, setSaving] = useState(false);

  async function openImage(picked: File) {
    onError("");
    try {
      if (!isImageFile(picked)) throw new Error(INVALID_IMAGE_MESSAGE);
      setImage(await createImageBitmap(picked));
    } catch {
      onError(INVALID_IMAGE_MESSAGE);
    }
  }

  async function save(square: Promise<Blob>) {
    setSaving(true);
    try {
      await onSave(await square);
    } catch {
      onError(INVALID_IMAGE_MESSAGE);
    }
    setSaving(false);
    setImage(null);
  }

  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => file.current?.click()}>
        <Camera size={16} aria-hidden="true" />
        {label}
      </Button>
      <ImageInput ref={file} label="Photo file" single onSelect={([picked]) => picked && void openImage(picked)} />
      {image && (
        <CropDialog
          image={image}
          saving={saving}
          onSave={(square) => void save(square)}
          onClose={() => setImage(null)}
        />
      )}
    </>
  );
}

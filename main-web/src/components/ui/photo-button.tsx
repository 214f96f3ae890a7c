import { Camera } from "lucide-react";
import { useRef, useState } from "react";
import { isImageFile, INVALID_IMAGE_MESSAGE, UnreadableImage } from "@/lib/image-files";
import { isAnimated, STILL_MESSAGE } from "@/lib/prepare-photo";
import { toast } from "@/lib/toast-store";
import { Button } from "./button";
import { CropDialog } from "./crop-dialog";
import { ImageInput } from "./image-input";

type PhotoButtonProps = {
  label: string;
  /** Saves the square. Resolves to an error's text, with which the dialog stays open, or to ""; never rejects. */
  onSave: (square: Blob) => Promise<string>;
  /** Receives the message for a file that is no image, and "" when another one is chosen. */
  onError: (message: string) => void;
};

/** A button that chooses a photo and crops it to a square. */
export function PhotoButton({ label, onSave, onError }: PhotoButtonProps) {
  const file = useRef<HTMLInputElement>(null);
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState("");

  async function openImage(picked: File) {
    onError("");
    setProblem("");
    try {
      if (!isImageFile(picked)) throw new Error(INVALID_IMAGE_MESSAGE);
      if (await isAnimated(picked)) toast.info(STILL_MESSAGE);
      setImage(await decode(picked));
    } catch (error) {
      onError((error as Error).message);
    }
  }

  async function save(square: Promise<Blob>) {
    setSaving(true);
    setProblem("");
    const failure = await square.then(onSave, () => INVALID_IMAGE_MESSAGE);
    setSaving(false);
    setProblem(failure);
    if (failure === "") setImage(null);
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
          problem={problem}
          onSave={(square) => void save(square)}
          onClose={() => setImage(null)}
        />
      )}
    </>
  );
}

async function decode(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch {
    throw new UnreadableImage();
  }
}

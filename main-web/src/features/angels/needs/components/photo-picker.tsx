import { ImagePlus } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ImageInput } from "@/components/ui/image-input";
import { Notice } from "@/components/ui/notice";
import { INVALID_IMAGES_MESSAGE, isImageFile, MAX_PHOTOS } from "@/lib/image-files";
import { isAnimated, STILL_MESSAGE } from "@/lib/prepare-photo";
import { toast } from "@/lib/toast-store";
import styles from "../../components/angels.module.css";

type PhotoPickerProps = { photos: readonly File[]; onChange: (photos: File[]) => void };

/** Chooses the photos of a need that is not posted yet. */
export function PhotoPicker({ photos, onChange }: PhotoPickerProps) {
  const file = useRef<HTMLInputElement>(null);
  const [error, setError] = useState("");

  function add(files: File[]) {
    const images = files.filter(isImageFile);
    void Promise.all(images.map(isAnimated)).then((animated) => animated.includes(true) && toast.info(STILL_MESSAGE));
    setError(images.length === files.length ? "" : INVALID_IMAGES_MESSAGE);
    onChange([...photos, ...images].slice(0, MAX_PHOTOS));
  }

  return (
    <div className={styles.fieldset}>
      <div>
        <Button
          variant="secondary"
          size="sm"
          disabled={photos.length >= MAX_PHOTOS}
          onClick={() => file.current?.click()}
        >
          <ImagePlus size={16} aria-hidden="true" />
          Add photos
        </Button>
        <ImageInput ref={file} label="Photo files" onSelect={add} />
      </div>
      {photos.length > 0 && (
        <ul className={styles.list} aria-label="Photos">
          {photos.map((photo, index) => (
            <li key={`${photo.name} ${index}`} className={styles.person}>
              <span>{photo.name}</span>
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Remove ${photo.name}`}
                onClick={() => onChange(photos.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && <Notice tone="danger">{error}</Notice>}
    </div>
  );
}

import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { usePhotoUploads } from "@/lib/use-photo-uploads";
import { Button } from "@/components/ui/button";
import { ImageInput } from "@/components/ui/image-input";
import { UploadErrors } from "@/components/ui/upload-errors";
import { UploadProgress } from "@/components/ui/upload-progress";
import styles from "../../components/angels.module.css";
import { useUploadNeedPhoto } from "../api/upload-need-photo";
import type { Need } from "../lib/types";

/** Adds photos to a posted need; those that fail are kept for another attempt. */
export function AddPhotosCard({ need }: { need: Need }) {
  const add = useUploadNeedPhoto();
  const file = useRef<HTMLInputElement>(null);
  const { freeSlots, uploading, errors, failed, upload } = usePhotoUploads(
    "need",
    need.photos.length,
    (photo, onProgress) => add.mutateAsync({ id: need.id, photo, onProgress }),
  );

  if (freeSlots <= 0 && errors.length === 0) return null;
  return (
    <div className={styles.fieldset}>
      {uploading && <UploadProgress name={uploading.name} part={uploading.part} />}
      <UploadErrors
        errors={errors}
        failed={failed}
        busy={uploading !== null}
        onRetry={(photos) => void upload(photos)}
      />
      {freeSlots > 0 && (
        <div>
          <Button variant="secondary" size="sm" loading={uploading !== null} onClick={() => file.current?.click()}>
            <ImagePlus size={16} aria-hidden="true" />
            {need.photos.length === 0 ? "Add photos" : "Add more photos"}
          </Button>
          <ImageInput ref={file} label="Photo files" onSelect={(files) => void upload(files)} />
        </div>
      )}
    </div>
  );
}

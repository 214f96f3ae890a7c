import { useState } from "react";
import { INVALID_IMAGES_MESSAGE, isImageFile, MAX_PHOTOS, uploadErrorText } from "./image-files";
import { isAnimated, STILL_MESSAGE } from "./prepare-photo";
import { toast } from "./toast-store";
import { ApiError } from "@porchlight/shared/client";

type OnProgress = (part: number) => void;

/**
 * Upload photos one after the other.
 * @param noun what the photos belong to, as messages name it
 * @param existingCount how many photos it has already
 * @returns `freeSlots` for more photos, the file being uploaded with its part sent so far, an error per rejected file,
 *   and `failed`, the photos that another attempt can still add
 */
export function usePhotoUploads(
  noun: string,
  existingCount: number,
  add: (photo: File, onProgress: OnProgress) => Promise<unknown>,
) {
  const [uploading, setUploading] = useState<{ name: string; part: number } | null>(null);
  const [errors, setErrors] = useState<string[]>([]);
  const [failed, setFailed] = useState<File[]>([]);
  const freeSlots = MAX_PHOTOS - existingCount;

  async function upload(files: File[]) {
    const newErrors: string[] = [];
    const newFailed: File[] = [];
    for (const photo of files.slice(0, freeSlots)) {
      if (!isImageFile(photo)) {
        newErrors.push(`${photo.name}: ${INVALID_IMAGES_MESSAGE}`);
        continue;
      }
      if (await isAnimated(photo)) toast.info(STILL_MESSAGE);
      const onProgress = (part: number) => setUploading({ name: photo.name, part });
      onProgress(0);
      await add(photo, onProgress).catch((reason: unknown) => {
        newErrors.push(`${photo.name}: ${uploadErrorText(reason)}`);
        if (canBeRepeated(reason)) newFailed.push(photo);
      });
    }
    if (files.length > freeSlots)
      newErrors.push(`A ${noun} can have up to ${MAX_PHOTOS} photos. We didn't add the rest.`);
    setUploading(null);
    setErrors(newErrors);
    setFailed(newFailed);
  }

  return { freeSlots, uploading, errors, failed, upload };
}

/** Tell whether the same photo may be accepted later: the server was not reached, failed or was too busy. */
function canBeRepeated(reason: unknown): boolean {
  return reason instanceof ApiError && (reason.status === 0 || reason.status === 429 || reason.status >= 500);
}

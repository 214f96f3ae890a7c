import { api } from "@/lib/api-client";
import { isImageFile, INVALID_IMAGE_MESSAGE, UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import { preparePhoto } from "@/lib/prepare-photo";
import type { UploadedImage } from "../lib/types";

/** The largest size that the site shows. */
const LIMITS = { width: 1600, height: 2400 };

/** Upload an image for a post. It is scaled down first, because phone photos are larger than any screen. */
export async function uploadImage(file: File): Promise<UploadedImage> {
  if (!isImageFile(file)) throw new Error(INVALID_IMAGE_MESSAGE);
  return api.POST("/guru/images", { body: await preparePhoto(file, { limits: LIMITS }), timeout: UPLOAD_TIMEOUT_MS });
}

import { api } from "@/lib/api-client";
import { fetchWithProgress } from "@/lib/fetch-with-progress";
import { isImageFile, INVALID_IMAGE_MESSAGE, UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import { preparePhoto } from "@/lib/prepare-photo";
import type { SiteImage } from "../lib/types";

/** The largest size that the site shows. */
const LIMITS = { width: 1600, height: 2400 };

/**
 * Upload an image for the guru's site. It is scaled down first, because phone photos are larger than any screen.
 * @param onProgress called with the part sent so far, 0 to 1
 */
export async function uploadImage(file: File, onProgress?: (part: number) => void): Promise<SiteImage> {
  if (!isImageFile(file)) throw new Error(INVALID_IMAGE_MESSAGE);
  return api.POST("/guru/images", {
    body: await preparePhoto(file, { limits: LIMITS }),
    timeout: UPLOAD_TIMEOUT_MS,
    ...(onProgress && { fetch: fetchWithProgress(onProgress) }),
  });
}

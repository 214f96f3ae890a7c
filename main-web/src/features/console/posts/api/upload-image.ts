import { api } from "@/lib/api-client";
import { isImageFile, INVALID_IMAGE_MESSAGE, UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import type { UploadedImage } from "../../lib/types";

const MAX_WIDTH = 1600;

/** Upload an image for a post. It is scaled down first, because phone photos are larger than any screen. */
export async function uploadImage(file: File): Promise<UploadedImage> {
  if (!isImageFile(file)) throw new Error(INVALID_IMAGE_MESSAGE);
  return api.post<UploadedImage>("/guru/images", { body: await smaller(file), timeout: UPLOAD_TIMEOUT_MS });
}

async function smaller(file: File): Promise<Blob> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new Error(INVALID_IMAGE_MESSAGE);
  }
  const scale = Math.min(1, MAX_WIDTH / bitmap.width, 2400 / bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return file;
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const encoded = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/webp", 0.86));
  return encoded?.type === "image/webp" && encoded.size < file.size ? encoded : file;
}

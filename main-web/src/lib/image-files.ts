import { ApiError } from "@porchlight/shared/client";

/** Image types that the server accepts and re-encodes. */
export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp"];
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;
/** Limit of a photo that the browser scales down before the upload. One of 50 megapixels has up to 25 MB, more as PNG. */
const MAX_IMAGE_BYTES = 60 * 1024 * 1024;
export const INVALID_IMAGE_MESSAGE = "Please choose a JPEG, PNG or WebP image up to 60 MB.";
export const INVALID_IMAGES_MESSAGE = "Please choose JPEG, PNG or WebP images up to 60 MB.";
/** Photos per listing and per need. */
export const MAX_PHOTOS = 4;
/** Long enough for a photo sent from a phone with a weak signal. */
export const UPLOAD_TIMEOUT_MS = 150_000;

export function isImageFile({ type, size }: File): boolean {
  return IMAGE_TYPES.includes(type) && size <= MAX_IMAGE_BYTES;
}

/** Return the message for a failed upload; the API names the field "photo". */
export function uploadErrorText(reason: unknown): string {
  if (reason instanceof ApiError) return reason.fields.photo ?? reason.message;
  return INVALID_IMAGES_MESSAGE;
}

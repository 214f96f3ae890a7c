import { ApiError } from "@porchlight/shared/client";

/** Image types that the server accepts and re-encodes. */
export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp"];
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
export const INVALID_IMAGE_MESSAGE = "Please choose a JPEG, PNG or WebP image up to 8 MB.";
export const INVALID_IMAGES_MESSAGE = "Please choose JPEG, PNG or WebP images up to 8 MB.";
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

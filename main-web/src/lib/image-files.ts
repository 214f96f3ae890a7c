import { ApiError } from "@porchlight/shared/client";

/** Image types that the server decodes at once. The browser converts the others if it can, else the server does. */
export const PLAIN_IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp"];
export const IMAGE_TYPES = [...PLAIN_IMAGE_TYPES, "image/gif", "image/avif", "image/heic", "image/heif"];
/** Some systems know no type of these files. */
const HEIC_NAME = /\.(heic|heif|hif)$/i;
/** For file inputs. */
export const ACCEPTED_IMAGES = [...IMAGE_TYPES, ".heic", ".heif"].join(",");
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;
/** Limit of a photo that the browser scales down before the upload. One of 50 megapixels has up to 25 MB, more as PNG. */
const MAX_IMAGE_BYTES = 60 * 1024 * 1024;
export const INVALID_IMAGE_MESSAGE = "Please choose a JPEG, PNG, WebP, GIF, AVIF or HEIC image up to 60 MB.";
export const INVALID_IMAGES_MESSAGE = "Please choose JPEG, PNG, WebP, GIF, AVIF or HEIC images up to 60 MB.";
/** For a file of a known type that the browser cannot decode, although it has to be made smaller or cropped. */
export const UNREADABLE_IMAGE_MESSAGE = "We couldn't read that image. Save it again as a JPEG, or choose another one.";
/** Photos per listing and per need. */
export const MAX_PHOTOS = 4;
/** Long enough for a photo sent from a phone with a weak signal. */
export const UPLOAD_TIMEOUT_MS = 150_000;

/** An image of a known type that cannot be decoded. */
export class UnreadableImage extends Error {
  constructor() {
    super(UNREADABLE_IMAGE_MESSAGE);
  }
}

export function hasImageType({ type, name }: File): boolean {
  return IMAGE_TYPES.includes(type) || (type === "" && HEIC_NAME.test(name));
}

export function isImageFile(file: File): boolean {
  return hasImageType(file) && file.size <= MAX_IMAGE_BYTES;
}

/** Return the message for a failed upload; the API names the field "photo". */
export function uploadErrorText(reason: unknown): string {
  if (reason instanceof ApiError) return reason.fields.photo ?? reason.message;
  return reason instanceof UnreadableImage ? reason.message : INVALID_IMAGES_MESSAGE;
}

import { ApiError } from "@porchlight/shared/client";

/** Pictures the server takes, each of them drawn anew there. */
export const KINDS = ["image/jpeg", "image/png", "image/webp"];
const LARGEST = 8 * 1024 * 1024; // bytes
export const NOT_A_PICTURE = "Please choose a JPEG, PNG or WebP picture of at most 8 MB.";
export const NOT_PICTURES = "Please choose JPEG, PNG or WebP pictures of at most 8 MB.";
/** On a listing, and on a need. */
export const MOST_PHOTOS = 4;
/** Milliseconds for a picture from a phone far from the next mast. */
export const PATIENCE = 150_000;

export function isPicture({ type, size }: File): boolean {
  return KINDS.includes(type) && size <= LARGEST;
}

/** Why a picture was not taken, in words; the API names its field "photo". */
export function whyNot(reason: unknown): string {
  if (reason instanceof ApiError) return reason.fields.photo ?? reason.message;
  return NOT_PICTURES;
}

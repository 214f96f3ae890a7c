export const KINDS = ["image/jpeg", "image/png", "image/webp"];
export const MOST_PHOTOS = 4;
export const NOT_A_PICTURE = "Please choose JPEG, PNG or WebP pictures of at most 8 MB.";

export function isPicture({ type, size }: File): boolean {
  return KINDS.includes(type) && size <= 8 * 1024 * 1024;
}

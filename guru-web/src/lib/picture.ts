import type { Picture } from "./types";

// The 26 bytes before the pixels of a bitmap of 4 by 3 with 3 bytes each (OS/2 1.x, which all browsers read).
const BITMAP_HEADER = "BM%3E%00%00%00%00%00%00%00%1A%00%00%00%0C%00%00%00%04%00%03%00%01%00%18%00";

/** The colors of a picture as a bitmap in a data URL. Browsers enlarge its 12 pixels to soft transitions. */
export function previewUrl(preview: string): string {
  // Bitmaps begin with the bottom row, and pixels with blue.
  const rows = preview.replace(/(.{12})(.{12})(.{12})/, "$3$2$1");
  return `data:image/bmp,${BITMAP_HEADER}${rows.replace(/(.)(.)(.)/g, "%$3$3%$2$2%$1$1")}`;
}

/** The classes that keep the chosen point in every crop, in steps of 10 percent. */
export function focusClasses({ focusX, focusY }: Pick<Picture, "focusX" | "focusY">): string {
  return `fx-${Math.round(focusX / 10)} fy-${Math.round(focusY / 10)}`;
}

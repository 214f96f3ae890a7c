import { INVALID_IMAGE_MESSAGE } from "./image-files";

/** Side of the uploaded square, in pixels; the server keeps 512. */
export const CROP_SIZE = 640;

/** The part of an image to keep. */
export type Crop = {
  /** 1: the largest square; 3: a third of it. */
  zoom: number;
  /** Position of the square, from 0 (left, top) to 1 (right, bottom). */
  x: number;
  y: number;
};

export const CENTERED: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** Return the square that a crop keeps, in pixels of the image. */
export function squareOf(width: number, height: number, { zoom, x, y }: Crop) {
  const side = Math.min(width, height) / zoom;
  return { left: (width - side) * x, top: (height - side) * y, side };
}

export function drawCrop(canvas: HTMLCanvasElement, image: ImageBitmap, crop: Crop) {
  const { left, top, side } = squareOf(image.width, image.height, crop);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** Return the canvas content as a JPEG. */
export function canvasToJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(INVALID_IMAGE_MESSAGE))), "image/jpeg", 0.9),
  );
}

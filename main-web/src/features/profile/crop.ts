import { NOT_A_PICTURE } from "../../kit/pictures";

/** Side of the square that is sent, in pixels; the server keeps 512. */
export const SIDE = 640;

/** What of the picture is kept. */
export type Crop = {
  /** 1: as much as fits a square; 3: a third of that. */
  zoom: number;
  /** Where the square lies, from 0 (left, top) to 1 (right, bottom). */
  x: number;
  y: number;
};

export const CENTERED: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The square of a picture that a crop keeps, in the picture's own pixels. */
export function squareOf(width: number, height: number, { zoom, x, y }: Crop) {
  const side = Math.min(width, height) / zoom;
  return { left: (width - side) * x, top: (height - side) * y, side };
}

export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop) {
  const { left, top, side } = squareOf(picture.width, picture.height, crop);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** What the canvas shows, as a JPEG. */
export function pictureOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) =>
    canvas.toBlob((made) => (made ? done(made) : fail(new Error(NOT_A_PICTURE))), "image/jpeg", 0.9),
  );
}

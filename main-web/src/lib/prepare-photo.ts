import { MAX_UPLOAD_BYTES, PLAIN_IMAGE_TYPES, UnreadableImage } from "./image-files";

/** The server decodes no larger image. */
const MAX_PIXELS = 40_000_000;
/** Longest side of a photo that is scaled down for its upload; the server keeps less. */
const MAX_SIDE = 4000;

type Options = {
  /** Scale down to this size in any case; without it, only what the server would refuse. */
  limits?: { width: number; height: number };
  /** The type of a scaled photo; JPEG stays JPEG. WebP keeps transparency, and JPEG has white instead. */
  type?: "image/jpeg" | "image/webp";
};

/**
 * Return a photo as it is uploaded. Those of today's phones are larger than the server takes, so they are scaled down
 * here; the browser converts their colors to sRGB and turns them upright.
 */
export async function preparePhoto(file: File, { limits, type = "image/webp" }: Options = {}): Promise<Blob> {
  // A small file can be sent as it is if the browser cannot decode it: the server says what is wrong.
  const canBeSent = file.size <= MAX_UPLOAD_BYTES;
  if (typeof createImageBitmap === "undefined" && canBeSent) return file;
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    if (canBeSent) return file;
    throw new UnreadableImage();
  }
  try {
    const isRefused = !canBeSent || bitmap.width * bitmap.height > MAX_PIXELS;
    const isConverted = !PLAIN_IMAGE_TYPES.includes(file.type);
    const { width, height } = limits ?? (isRefused ? { width: MAX_SIDE, height: MAX_SIDE } : bitmap);
    const scale = Math.min(1, width / bitmap.width, height / bitmap.height);
    if (!limits && !isRefused && !isConverted) return file;
    const scaled = await encode(bitmap, scale, file.type === "image/jpeg" ? file.type : type);
    if (!scaled || scaled.size > MAX_UPLOAD_BYTES) {
      if (isRefused) throw new UnreadableImage();
      return file;
    }
    return isRefused || isConverted || scaled.size < file.size ? scaled : file;
  } finally {
    bitmap.close();
  }
}

async function encode(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  if (type === "image/jpeg") {
    context.fillStyle = "#fff"; // without it, transparent parts turn black
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A browser that cannot write a type writes PNG instead, which may be too large: then the file itself is sent.
  return new Promise((done) => canvas.toBlob(done, type, 0.88));
}

/** How much of a file is read for the mark of an animation, which precedes the first frame. */
const HEAD_BYTES = 4096;
const MARKS: Record<string, string> = {
  "image/png": "acTL",
  "image/webp": "ANIM",
  "image/gif": "NETSCAPE2.0",
  "image/avif": "avis",
};

/** Tell whether a picture is animated. The site shows only its first frame. */
export async function isAnimated(file: File): Promise<boolean> {
  const mark = MARKS[file.type];
  if (!mark) return false;
  const reader = new FileReader();
  const read = new Promise<ArrayBuffer>((done) => {
    reader.onload = () => done(reader.result as ArrayBuffer);
    reader.onerror = () => done(new ArrayBuffer());
  });
  reader.readAsArrayBuffer(file.slice(0, HEAD_BYTES));
  return new TextDecoder("latin1").decode(await read).includes(mark);
}

export const STILL_MESSAGE = "That picture is animated. We show only its first frame.";

/** What the browser's own detector and the one of the library have in common. */
export type QrDetector = { detect: (image: HTMLVideoElement | HTMLCanvasElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: ["qr_code"] }): QrDetector;
  getSupportedFormats: () => Promise<readonly string[]>;
};

/** Return a reader of QR codes: the browser's, or else one that is loaded. */
export async function createDetector(): Promise<QrDetector> {
  const native = (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const formats = await native?.getSupportedFormats().catch((): string[] => []);
  if (native && formats?.includes("qr_code")) return new native({ formats: ["qr_code"] });
  const { decodeQR } = await import("qr/decode.js");
  return { detect: (image) => Promise.resolve(decodedOf(image, decodeQR)) };
}

const MAX_SIDE = 960;
let canvas: HTMLCanvasElement | null = null;

type Decode = (image: { width: number; height: number; data: Uint8ClampedArray }) => string;

function decodedOf(image: HTMLVideoElement | HTMLCanvasElement, decode: Decode): { rawValue: string }[] {
  const isVideo = image instanceof HTMLVideoElement;
  const [wide, high] = isVideo ? [image.videoWidth, image.videoHeight] : [image.width, image.height];
  if (wide === 0 || high === 0) return [];
  const scale = Math.min(1, MAX_SIDE / Math.max(wide, high));
  canvas ??= document.createElement("canvas");
  canvas.width = Math.round(wide * scale);
  canvas.height = Math.round(high * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return [];
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  try {
    return [{ rawValue: decode(context.getImageData(0, 0, canvas.width, canvas.height)) }];
  } catch {
    return []; // no code in this picture
  }
}

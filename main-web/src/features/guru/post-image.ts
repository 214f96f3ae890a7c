import { api } from "../../kit/api";
import type { Picture } from "./types";

export const KINDS = ["image/jpeg", "image/png", "image/webp"];
export const LARGEST = 8 * 1024 * 1024;
export const NOT_A_PICTURE = "Please choose a JPEG, PNG or WebP picture of at most 8 MB.";
const WIDEST = 1600;

/** Uploads a picture for a post. It is made small here first: phones take pictures larger than anybody sees. */
export async function postImage(file: File): Promise<Picture> {
  if (!KINDS.includes(file.type) || file.size > LARGEST) throw new Error(NOT_A_PICTURE);
  return api.post<Picture>("/guru/images", { body: await smaller(file) });
}

async function smaller(file: File): Promise<Blob> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    throw new Error(NOT_A_PICTURE);
  }
  const scale = Math.min(1, WIDEST / picture.width, 2400 / picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return file;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/webp", 0.86));
  return made?.type === "image/webp" && made.size < file.size ? made : file;
}

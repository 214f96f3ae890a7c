import { api } from "../../kit/api";
import { isPicture, NOT_A_PICTURE } from "../../kit/pictures";
import type { Picture } from "./types";

const WIDEST = 1600;

/** Uploads a picture for a post. It is made small here first: phones take pictures larger than anybody sees. */
export async function postImage(file: File): Promise<Picture> {
  if (!isPicture(file)) throw new Error(NOT_A_PICTURE);
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

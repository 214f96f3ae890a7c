import type { SiteImage } from "@/features/images/contract";
import type { Gallery, PictureLimits, StoredPicture } from "./types";

/** Where pictures are shown: at the top of the home page, in the gallery, or with a service. */
export type Spot = Pick<StoredPicture, "place" | "serviceId">;

/** A picture as the form has it. Its key stays when it moves. */
export type Picture = StoredPicture & { key: string };

export const MAX_ALT_LENGTH = 200;
export const HERO: Spot = { place: "hero", serviceId: null };
export const GALLERY: Spot = { place: "gallery", serviceId: null };
export const serviceSpot = (serviceId: string): Spot => ({ place: "service", serviceId });

/** Identifies a spot, in the order in which the API lists them. */
export const spotKey = ({ place, serviceId }: Spot) => (serviceId === null ? place : `${place}-${serviceId}`);

export function picturesOf(gallery: Gallery): Picture[] {
  return gallery.pictures.map((picture, at) => ({ ...picture, key: `stored-${at}` }));
}

/** Return the pictures as they are saved. */
export function payloadOf(pictures: readonly Picture[]) {
  return pictures.map(({ place, serviceId, imageId, alt, focusX, focusY }) => ({
    place,
    serviceId,
    imageId,
    alt: alt.trim().replace(/\s+/g, " "),
    focusX,
    focusY,
  }));
}

/** Return a new picture of an uploaded image. */
export function pictureOf(image: SiteImage, spot: Spot): Picture {
  const { id, address, thumbnail, width, height, preview } = image;
  return {
    ...spot,
    key: crypto.randomUUID(),
    imageId: id,
    address,
    thumbnail,
    width,
    height,
    preview,
    alt: "",
    focusX: 50,
    focusY: 50,
  };
}

export function picturesAt(pictures: readonly Picture[], spot: Spot): Picture[] {
  return pictures.filter((picture) => spotKey(picture) === spotKey(spot));
}

/** Return how many more pictures fit. */
export function roomAt(pictures: readonly Picture[], spot: Spot, limits: PictureLimits): number {
  const free = limits[spot.place] - picturesAt(pictures, spot).length;
  return Math.max(0, Math.min(free, limits.all - pictures.length));
}

/** Put a picture, new or of the list, at an index of a spot; without one, at its end. */
export function put(pictures: readonly Picture[], picture: Picture, spot: Spot, index = Infinity): Picture[] {
  const others = pictures.filter(({ key }) => key !== picture.key);
  const there = picturesAt(others, spot);
  there.splice(index, 0, { ...picture, place: spot.place, serviceId: spot.serviceId });
  return inOrder([...others.filter((other) => spotKey(other) !== spotKey(spot)), ...there]);
}

/** Return the pictures by spot, as the API does, so that those moved back are as they were. */
function inOrder(pictures: Picture[]): Picture[] {
  const keys = [...new Set(pictures.map(spotKey))].sort();
  return keys.flatMap((key) => pictures.filter((picture) => spotKey(picture) === key));
}

/** The sentences of a refused save by key of the picture. The API names pictures by index: "pictures.2.alt". */
export function refusedPictures(
  fields: Readonly<Record<string, string>>,
  pictures: readonly Picture[],
): Map<string, string> {
  const refused = new Map<string, string>();
  for (const [name, sentence] of Object.entries(fields)) {
    const index = /^pictures\.(\d+)/.exec(name)?.[1];
    const picture = index === undefined ? undefined : pictures[Number(index)];
    if (picture) refused.set(picture.key, sentence);
  }
  return refused;
}

/** The name of a picture, for buttons: what is seen, or its number. */
export const pictureName = (picture: Picture, at: number) => picture.alt.trim() || `picture ${at + 1}`;

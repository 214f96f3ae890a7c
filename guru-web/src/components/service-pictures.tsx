import type { Service } from "../lib/types";
import { DrawnCover } from "./drawn-cover";
import { Picture } from "./picture";
import { PictureList } from "./picture-list";

export interface ServicePicturesProps {
  service: Service;
  /** Whether cards beside this one have pictures: then a drawing takes the place of a missing one. */
  isAmongPictures?: boolean;
  /** Whether all pictures are shown, and open in a large view. */
  allPictures?: boolean | undefined;
}

/** The pictures of a service at the top of its card. */
export function ServicePictures({ service, isAmongPictures, allPictures }: ServicePicturesProps) {
  const [first] = service.pictures;
  if (first === undefined) return isAmongPictures === true ? <DrawnCover seed={service.id} /> : null;
  if (allPictures !== true) return <Picture className="service-picture" picture={first} />;
  return <PictureList className="service-pictures" pictures={service.pictures} />;
}

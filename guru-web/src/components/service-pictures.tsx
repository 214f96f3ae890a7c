import type { Service } from "../lib/types";
import { DrawnCover } from "./drawn-cover";
import { Picture } from "./picture";
import { PictureList } from "./picture-list";

const CARD_SIZES = "(min-width: 43.25rem) 22rem, 100vw";

interface ServicePicturesProps {
  service: Service;
  /** Whether cards beside this one have pictures: then a drawing takes the place of a missing one. */
  isAmongPictures: boolean;
  /** Whether all pictures are shown, and open in a large view. */
  all: boolean;
}

/** The pictures of a service at the top of its card. */
export function ServicePictures({ service, isAmongPictures, all }: ServicePicturesProps) {
  const [first] = service.pictures;
  if (first === undefined) return isAmongPictures ? <DrawnCover seed={service.id} /> : null;
  if (!all) return <Picture className="service-picture" picture={first} ratio="4-3" sizes={CARD_SIZES} />;
  return (
    <PictureList
      className="service-pictures"
      label={`Pictures of ${service.name}`}
      pictures={service.pictures}
      ratio="4-3"
      sizes={[CARD_SIZES, "4rem"]}
    />
  );
}

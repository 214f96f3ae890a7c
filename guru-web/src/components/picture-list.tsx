import type { MouseEvent } from "react";

import type { Picture as PictureData } from "../lib/types";
import { Picture } from "./picture";

interface PictureListProps {
  pictures: readonly PictureData[];
  /** How many are shown here; the large view has all. */
  shown?: number;
  /** The `sizes` of a picture, by its place in the list. */
  sizesAt?: (index: number) => string;
  className: string;
}

/** Small pictures that open in a large view. Without scripts, each is a link to the whole picture. */
export function PictureList({ pictures, shown, sizesAt, className }: PictureListProps) {
  const open = (event: MouseEvent<HTMLAnchorElement>, index: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    // Loaded when it is needed. If it can't be, the link leads to the picture.
    import("./lightbox").then(
      ({ openLightbox }) => openLightbox(pictures, index),
      () => (location.href = href),
    );
  };
  return (
    <ul className={className} aria-label="Pictures">
      {pictures.slice(0, shown).map((picture, index) => (
        <li key={index}>
          <a
            className="picture-link"
            href={picture.path}
            aria-label={picture.alt ? undefined : `Picture ${index + 1}`}
            onClick={(event) => open(event, index)}
          >
            <Picture picture={picture} sizes={sizesAt?.(index)} />
          </a>
        </li>
      ))}
    </ul>
  );
}

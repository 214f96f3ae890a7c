import { type MouseEvent, useState } from "react";

import type { Picture as PictureData } from "../lib/types";
import type { Lightbox } from "./lightbox";
import { Picture } from "./picture";

interface PictureListProps {
  pictures: readonly PictureData[];
  /** How many are shown here; the large view has all. */
  shown?: number;
  ratio: "4-3" | "1-1";
  /** Of the `img` elements: how wide the first is shown, and how wide the others. */
  sizes: readonly [string, string];
  label: string;
  className: string;
}

interface View {
  Lightbox: typeof Lightbox;
  at: number;
}

/** Small pictures that open in a large view. Without scripts, each is a link to the whole picture. */
export function PictureList({ pictures, shown = pictures.length, ratio, sizes, label, className }: PictureListProps) {
  const [view, setView] = useState<View | null>(null);
  const open = (event: MouseEvent<HTMLAnchorElement>, at: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    // Loaded when it is needed. If it can't be, the link leads to the picture.
    import("./lightbox").then(
      ({ Lightbox }) => setView({ Lightbox, at }),
      () => window.location.assign(href),
    );
  };
  return (
    <>
      <ul className={className} aria-label={label}>
        {pictures.slice(0, shown).map((picture, index) => (
          <li key={index}>
            <a
              className="picture-link"
              href={picture.path}
              aria-label={picture.alt === "" ? `Picture ${index + 1}` : undefined}
              onClick={(event) => open(event, index)}
            >
              <Picture picture={picture} ratio={ratio} sizes={sizes[index === 0 ? 0 : 1]} />
            </a>
          </li>
        ))}
      </ul>
      {view !== null && (
        <view.Lightbox
          pictures={pictures}
          at={view.at}
          onMove={(at) => setView({ ...view, at })}
          onClose={() => setView(null)}
        />
      )}
    </>
  );
}

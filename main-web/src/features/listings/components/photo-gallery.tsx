import { useState } from "react";
import { cx } from "@/lib/cx";
import type { PublicListing } from "../api/get-listing";
import styles from "./photos.module.css";

/** The photos of a listing: one large, the others as thumbnails. */
export function PhotoGallery({ listing: { photos, title } }: { listing: PublicListing }) {
  const [selectedId, setSelectedId] = useState("");
  const selected = photos.find(({ id }) => id === selectedId) ?? photos[0];
  if (!selected) return null;
  const altText = (at: number) =>
    photos[at]?.alt || (photos.length > 1 ? `${title}, photo ${at + 1} of ${photos.length}` : title);
  return (
    <div className={styles.gallery}>
      <img
        className={styles.large}
        src={selected.path}
        width={selected.width}
        height={selected.height}
        alt={altText(photos.indexOf(selected))}
        fetchPriority="high"
      />
      {photos.length > 1 && (
        <ul className={styles.strip} aria-label="All photos">
          {photos.map((photo, at) => (
            <li key={photo.id}>
              <button
                type="button"
                className={cx(styles.pick, photo === selected && styles.picked)}
                aria-pressed={photo === selected}
                aria-label={`Show ${altText(at)}`}
                onClick={() => setSelectedId(photo.id)}
              >
                <img src={photo.smallPath} alt="" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * The large photo before the data of the listing. In <picture>, which the API leaves out where there is none, and without
 * which React would ask for it in the head.
 */
export function FirstPhoto({ src, width, height }: { src: string; width: string; height: string }) {
  return (
    <picture className={styles.gallery}>
      <img className={styles.large} data-first="picture" src={src} width={width} height={height} alt="" />
    </picture>
  );
}

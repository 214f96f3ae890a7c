import { useState } from "react";
import { cx } from "../../ui/cx";
import type { PublicListing } from "./get-listing";
import styles from "./photos.module.css";

/** The photos of a listing: one large, the others small beneath it. */
export function PhotoGallery({ listing: { photos, title } }: { listing: PublicListing }) {
  const [chosen, setChosen] = useState("");
  const shown = photos.find(({ id }) => id === chosen) ?? photos[0];
  if (!shown) return null;
  const words = (at: number) => photos[at]?.alt || (photos.length > 1 ? `${title}, photo ${at + 1} of ${photos.length}` : title);
  return (
    <div className={styles.gallery}>
      <img
        className={styles.large}
        src={shown.path}
        width={shown.width}
        height={shown.height}
        alt={words(photos.indexOf(shown))}
        fetchPriority="high"
      />
      {photos.length > 1 && (
        <ul className={styles.strip} aria-label="All photos">
          {photos.map((photo, at) => (
            <li key={photo.id}>
              <button
                type="button"
                className={cx(styles.pick, photo === shown && styles.picked)}
                aria-pressed={photo === shown}
                aria-label={`Show ${words(at)}`}
                onClick={() => setChosen(photo.id)}
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

import { useState, type CSSProperties } from "react";
import styles from "./guru-face.module.css";
import { ThemeIcon } from "./theme-icon";
import type { components } from "@porchlight/shared/api.gen";

export type GuruCardData = components["schemas"]["GuruCard"];

/** A guru's photo, or the logo of their site without one. Decorative: the name is always beside it. */
export function GuruFace({ guru }: { guru: Pick<GuruCardData, "photoUrl" | "icon" | "colors"> }) {
  const [broken, setBroken] = useState<string | null>(null);
  const photo = guru.photoUrl === broken ? null : guru.photoUrl;
  return (
    <span className={styles.face} style={guruColors(guru)} aria-hidden="true">
      {photo === null ? (
        <ThemeIcon icon={guru.icon} />
      ) : (
        <img src={photo} alt="" referrerPolicy="no-referrer" onError={() => setBroken(photo)} />
      )}
    </span>
  );
}

/** The guru's colors for an element and what it contains, as custom properties. The server made sure of contrast. */
export function guruColors({ colors }: Pick<GuruCardData, "colors">): CSSProperties {
  return {
    "--guru-accent": colors.accent,
    "--guru-tile-start": colors.tileStart,
    "--guru-tile-end": colors.tileEnd,
    "--guru-on-tile": colors.onTile,
  } as CSSProperties;
}

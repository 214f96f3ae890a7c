import type { CSSProperties } from "react";
import { safeHref } from "../../kit/safe-href";
import { WholeLink } from "../../ui/whole-link";
import type { HomeGuru } from "./get-home";
import styles from "./guru-card.module.css";

/** One guru, in the colours of their own site. */
export function GuruCard({ guru }: { guru: HomeGuru }) {
  return (
    <li className={styles.card} style={colours(guru.theme)}>
      <span className={styles.emoji} aria-hidden="true">
        {guru.theme.emoji}
      </span>
      <p className={styles.category}>{guru.category}</p>
      <h3 className={styles.name}>
        <WholeLink>
          <a href={safeHref(guru.url)}>
            {guru.character}
          </a>
        </WholeLink>
      </h3>
      <p className={styles.tagline}>{guru.tagline}</p>
    </li>
  );
}

function colours(theme: HomeGuru["theme"]): CSSProperties | undefined {
  const hex = /^#[0-9a-f]{6}$/i;
  if (!hex.test(theme.primaryColor) || !hex.test(theme.secondaryColor)) return undefined;
  return { "--guru-one": theme.primaryColor, "--guru-two": theme.secondaryColor } as CSSProperties;
}

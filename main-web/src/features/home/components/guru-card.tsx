import type { CSSProperties } from "react";
import { safeHref } from "@/lib/safe-href";
import { LitBadge } from "@/features/porch-lights/contract";
import { ThemeIcon } from "@/components/theme-icon";
import { BlockLink } from "@/components/ui/block-link";
import type { HomeGuru } from "../api/get-home";
import styles from "./guru-card.module.css";

/** A guru, in the colors of their site. */
export function GuruCard({ guru, lit }: { guru: HomeGuru; lit: boolean }) {
  return (
    <li className={styles.card} style={themeColors(guru.theme)}>
      <span className={styles.icon} aria-hidden="true">
        <ThemeIcon icon={guru.theme.icon} />
      </span>
      <p className={styles.category}>{guru.category}</p>
      <h3 className={styles.name}>
        <BlockLink>
          <a href={safeHref(guru.url)}>{guru.character}</a>
        </BlockLink>
      </h3>
      <p className={styles.tagline}>{guru.tagline}</p>
      {lit && (
        <p className={styles.lit}>
          <LitBadge />
        </p>
      )}
    </li>
  );
}

function themeColors(theme: HomeGuru["theme"]): CSSProperties | undefined {
  const hex = /^#[0-9a-f]{6}$/i;
  if (!hex.test(theme.primaryColor) || !hex.test(theme.secondaryColor)) return undefined;
  return { "--guru-one": theme.primaryColor, "--guru-two": theme.secondaryColor } as CSSProperties;
}

import { CalendarClock } from "lucide-react";
import { memo, type CSSProperties } from "react";
import { safeHref } from "@/lib/safe-href";
import { LitBadge } from "@/features/porch-lights/contract";
import { ThemeIcon } from "@/components/theme-icon";
import { Avatar } from "@/components/ui/avatar";
import { BlockLink } from "@/components/ui/block-link";
import type { HomeGuru } from "../api/get-home";
import { formatNextTime } from "../lib/format-next-time";
import styles from "./guru-card.module.css";
import { formatMoney } from "@porchlight/shared/format/money";

type GuruCardProps = {
  guru: HomeGuru;
  /** Whether their porch light is on. */
  lit: boolean;
  canBook: boolean;
};

/** A guru with face, price and next free time, in the colors of their site. Not rendered again for others' lights. */
export const GuruCard = memo(function GuruCard({ guru, lit, canBook }: GuruCardProps) {
  const { next, photoUrl } = guru;
  return (
    <li className={styles.card} style={themeColors(guru.theme)}>
      <div className={styles.head}>
        <span className={styles.face} aria-hidden="true">
          {photoUrl ? <Avatar name={guru.character} src={photoUrl} size="lg" /> : <ThemeIcon icon={guru.theme.icon} />}
        </span>
        <div className={styles.who}>
          <h3 className={styles.name}>
            <BlockLink>
              <a href={safeHref(guru.url)}>{guru.character}</a>
            </BlockLink>
          </h3>
          <p className={styles.category}>{guru.category}</p>
        </div>
      </div>
      <p className={styles.tagline}>{guru.tagline}</p>
      {canBook && next && (
        <div className={styles.next}>
          <p className={styles.price}>
            <strong>{next.priceCents === 0 ? "Free" : formatMoney(next.priceCents, next.currency)}</strong>{" "}
            {next.service}
          </p>
          {next.startsAt && (
            <p className={styles.time}>
              <CalendarClock size={16} aria-hidden="true" />
              <span className="visually-hidden">Next free time: </span>
              <time dateTime={next.startsAt}>{formatNextTime(next.startsAt, next.zone)}</time>
            </p>
          )}
        </div>
      )}
      {lit && (
        <p className={styles.lit}>
          <LitBadge />
        </p>
      )}
    </li>
  );
});

function themeColors(theme: HomeGuru["theme"]): CSSProperties | undefined {
  const hex = /^#[0-9a-f]{6}$/i;
  if (!hex.test(theme.primaryColor) || !hex.test(theme.secondaryColor)) return undefined;
  return { "--guru-one": theme.primaryColor, "--guru-two": theme.secondaryColor } as CSSProperties;
}

import { useState } from "react";
import { cx } from "./cx";
import styles from "./avatar.module.css";

type AvatarProps = { name: string; src?: string | null; size?: "sm" | "md" | "lg" };

/** A face, or the initials where there is none. Decorative: the name always stands beside it or in a label. */
export function Avatar({ name, src, size = "md" }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const shown = src && src !== broken ? src : null;
  return (
    <span className={cx(styles.avatar, styles[size])} data-initials={shown ? undefined : initials(name)} aria-hidden="true">
      {shown && <img src={shown} alt="" referrerPolicy="no-referrer" onError={() => setBroken(shown)} />}
    </span>
  );
}

/** First letters of the first and last word, as people see letters (not code units); "?" for a blank name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  const letters = picked.map((word) => Array.from(word ?? "")[0] ?? "").join("");
  return letters.toLocaleUpperCase() || "?";
}

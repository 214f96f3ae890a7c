import { useState } from "react";
import { cx } from "@/lib/cx";
import styles from "./avatar.module.css";

type AvatarProps = { name: string; src?: string | null | undefined; size?: "sm" | "md" | "lg" };

/** A profile photo, or the initials without one. Decorative: the name is always beside it or in a label. */
export function Avatar({ name, src, size = "md" }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const visibleSrc = src && src !== broken ? src : null;
  return (
    <span
      className={cx(styles.avatar, styles[size])}
      data-initials={visibleSrc ? undefined : initials(name)}
      aria-hidden="true"
    >
      {visibleSrc && <img src={visibleSrc} alt="" referrerPolicy="no-referrer" onError={() => setBroken(visibleSrc)} />}
    </span>
  );
}

/** Return the first letters of the first and last word, by characters rather than code units; "?" for a blank name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  const letters = picked.map((word) => Array.from(word ?? "")[0] ?? "").join("");
  return letters.toLocaleUpperCase() || "?";
}

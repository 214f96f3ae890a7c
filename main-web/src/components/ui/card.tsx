import type { ComponentProps } from "react";
import { cx } from "@/lib/cx";
import styles from "./card.module.css";

type CardProps = ComponentProps<"div"> & {
  as?: "div" | "article" | "section" | "li";
  /** Lifts on hover; for cards that are one link. */
  interactive?: boolean;
  padding?: "md" | "lg";
};

export function Card({ as: Tag = "div", interactive, padding = "md", className, ...rest }: CardProps) {
  const Any = Tag as "div";
  return <Any className={cx(styles.card, styles[padding], interactive && styles.interactive, className)} {...rest} />;
}

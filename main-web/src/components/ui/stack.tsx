import type { ComponentProps } from "react";
import { cx } from "@/lib/cx";
import styles from "./stack.module.css";

type Tag = "div" | "section" | "form" | "ul" | "ol";

type StackProps<T extends Tag> = ComponentProps<T> & {
  as?: T;
  /** The distance of rows that belong together. */
  close?: boolean;
};

/** Parts below each other, as wide as the page. */
export function Stack<T extends Tag = "div">({ as, close = false, className, ...rest }: StackProps<T>) {
  const Any = (as ?? "div") as "div";
  return <Any className={cx(styles.stack, close && styles.close, className)} {...(rest as ComponentProps<"div">)} />;
}

/** Buttons in one row, on narrow screens in several rows. */
export function ButtonRow({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cx(styles.buttons, className)} {...rest} />;
}

import { Slot } from "radix-ui/slot";
import type { ComponentProps } from "react";
import { cx } from "@/lib/cx";
import styles from "./button.module.css";
import { Spinner } from "./spinner";

type ButtonProps = ComponentProps<"button"> & {
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "sm" | "md" | "lg";
  /** Shows a spinner and disables the button; the label stays, so that the width does not change. */
  loading?: boolean;
  block?: boolean;
  /** Renders the only child, usually a link, as the button. */
  asChild?: boolean;
};

export function Button({
  variant = "primary",
  size = "md",
  loading = false,
  block = false,
  asChild = false,
  className,
  children,
  disabled,
  type = "button",
  ...rest
}: ButtonProps) {
  const name = cx(styles.button, styles[variant], styles[size], block && styles.block, className);
  if (asChild) {
    return (
      <Slot className={name} {...rest}>
        {children}
      </Slot>
    );
  }
  return (
    <button
      className={name}
      type={type}
      disabled={disabled === true || loading}
      aria-busy={loading ? true : undefined}
      {...rest}
    >
      {loading && <Spinner />}
      {children}
    </button>
  );
}

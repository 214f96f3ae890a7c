import { Slot } from "radix-ui/slot";
import { useState, type ComponentProps } from "react";
import { cx } from "@/lib/cx";
import styles from "./button.module.css";
import { Spinner } from "./spinner";

type ButtonProps = ComponentProps<"button"> & {
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "sm" | "md" | "lg";
  /** Shows a spinner and disables the button; the label stays, so that the width does not change, and so does focus. */
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
  disabled = false,
  type = "button",
  onClick,
  onFocus,
  onBlur,
  ...rest
}: ButtonProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const name = cx(styles.button, styles[variant], styles[size], block && styles.block, className);
  if (asChild) {
    return (
      <Slot className={name} onClick={onClick} onFocus={onFocus} onBlur={onBlur} {...rest}>
        {children}
      </Slot>
    );
  }
  const isDisabled = disabled || loading;
  // Browsers take the focus from a disabled element: the next Tab would start at the top of the page.
  const keepsFocus = isDisabled && (loading || hasFocus);
  return (
    <button
      className={name}
      type={type}
      disabled={isDisabled && !keepsFocus}
      aria-disabled={keepsFocus ? true : undefined}
      aria-busy={loading ? true : undefined}
      onClick={(event) => {
        if (!keepsFocus) {
          onClick?.(event);
          return;
        }
        event.preventDefault();
        event.stopPropagation();
      }}
      onFocus={(event) => {
        setHasFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setHasFocus(false);
        onBlur?.(event);
      }}
      {...rest}
    >
      {loading && <Spinner />}
      {children}
    </button>
  );
}

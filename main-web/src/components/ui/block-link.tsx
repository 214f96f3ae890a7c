import { cloneElement, type ReactElement } from "react";
import { cx } from "@/lib/cx";
import styles from "./block-link.module.css";

type BlockLinkProps = { className?: string | undefined; children: ReactElement<{ className?: string | undefined }> };

/** Extend the link inside to the whole card or row around it. */
export function BlockLink({ className, children }: BlockLinkProps) {
  return cloneElement(children, { className: cx(styles.link, className, children.props.className) });
}

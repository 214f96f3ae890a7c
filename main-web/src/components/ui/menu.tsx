import type { LucideIcon } from "lucide-react";
import * as Radix from "radix-ui/dropdown-menu";
import type { ReactNode } from "react";
import styles from "./menu.module.css";

type MenuProps = { trigger: ReactNode; label: string; children: ReactNode };

/** A menu below its trigger (one button element), within the same landmark. */
export function Menu({ trigger, label, children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content className={styles.content} align="end" sideOffset={8} collisionPadding={12} aria-label={label}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

type MenuItemProps = { icon?: LucideIcon; onSelect?: () => void; asChild?: boolean; children: ReactNode };

export function MenuItem({ icon: Icon, onSelect, asChild, children }: MenuItemProps) {
  if (asChild) {
    return (
      <Radix.Item className={styles.item} asChild {...(onSelect && { onSelect })}>
        {children}
      </Radix.Item>
    );
  }
  return (
    <Radix.Item className={styles.item} {...(onSelect && { onSelect })}>
      {Icon && <Icon size={16} aria-hidden="true" />}
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.label}>{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className={styles.separator} />;
}

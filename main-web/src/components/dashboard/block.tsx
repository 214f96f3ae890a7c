import type { LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { TitleText } from "@/components/ui/title-text";
import styles from "./block.module.css";

/** A part of the dashboard with its heading, and maybe a link to the page behind it. */
export function Block({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.block}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {link}
      </header>
      {children}
    </section>
  );
}

/** Takes the place of a block's content while it loads. */
export function BlockLoading({ height = "6rem" }: { height?: string }) {
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading…
      </p>
      <Skeleton height={height} radius="md" />
    </div>
  );
}

/** Says why a block is empty, and leads on. */
export function BlockEmpty({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** The rows of a block. */
export function BlockList({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
}

type BlockRowProps = {
  as?: "div" | "li";
  icon?: LucideIcon;
  /** A picture in the place of the icon. */
  picture?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
};

/** One thing of a block: a picture, what it is, and what to do. */
export function BlockRow({ as = "div", icon: Icon, picture, title, text, action }: BlockRowProps) {
  return (
    <Card as={as} className={styles.row}>
      {picture ?? (Icon && <Icon size={22} aria-hidden="true" />)}
      <div className={styles.text}>
        <h3 className={styles.name}>
          <TitleText>{title}</TitleText>
        </h3>
        {text && <div className={styles.soft}>{text}</div>}
      </div>
      {action}
    </Card>
  );
}

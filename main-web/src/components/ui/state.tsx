import { type LucideIcon, CloudOff, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import { useIsOnline } from "@/lib/use-is-online";
import { Button } from "./button";
import styles from "./state.module.css";

type EmptyStateProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode };

/** The content of an empty list: why it is empty, and what to do. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon size={22} aria-hidden="true" />
      </span>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

type ErrorStateProps = { title: string; message: string; onRetry?: () => void; retrying?: boolean };

/** A load error with its reason and a retry button. Without a connection that is no error: it loads by itself later. */
export function ErrorState({ title, message, onRetry, retrying = false }: ErrorStateProps) {
  const online = useIsOnline();
  return (
    <div className={styles.state} role={online ? "alert" : "status"}>
      <span className={cx(styles.icon, online && styles.broken)}>
        <CloudOff size={22} aria-hidden="true" />
      </span>
      <p className={styles.title}>{online ? title : "This isn't on your device"}</p>
      <div className={styles.text}>{online ? message : "It loads when you're back online."}</div>
      {onRetry && (
        <div className={styles.action}>
          <Button variant="secondary" size="sm" loading={retrying} onClick={onRetry}>
            {!retrying && <RotateCw size={15} aria-hidden="true" />}
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

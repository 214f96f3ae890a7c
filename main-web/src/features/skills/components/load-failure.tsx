import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import styles from "./load-failure.module.css";

type LoadFailureProps = { message: string; onRetry: () => void; retrying: boolean };

/** The banner above the bundled categories (SPEC 8.3). */
export function LoadFailure({ message, onRetry, retrying }: LoadFailureProps) {
  return (
    <div className={styles.banner}>
      <Notice tone="danger">
        <div className={styles.row}>
          <div className={styles.details}>
            <p className={styles.title}>Unable to load skills</p>
            <p>{message}</p>
          </div>
          <Button size="sm" variant="secondary" loading={retrying} onClick={onRetry}>
            {!retrying && <RotateCw size={15} aria-hidden="true" />}
            Try again
          </Button>
        </div>
      </Notice>
    </div>
  );
}

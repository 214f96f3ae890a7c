import type { UseQueryResult } from "@tanstack/react-query";
import { Button } from "./button";
import styles from "./load-notice.module.css";
import { Notice } from "./notice";

type Query = Pick<UseQueryResult, "isLoadingError" | "refetch">;

type LoadNoticeProps = {
  /** The missing part, after "We couldn't load". */
  what: string;
  queries: readonly Query[];
};

/** One line about a part of the page that didn't load, with a retry button. Shows nothing when it did. */
export function LoadNotice({ what, queries }: LoadNoticeProps) {
  const failed = queries.filter(({ isLoadingError }) => isLoadingError);
  if (failed.length === 0) return null;
  return (
    <Notice tone="danger">
      <div className={styles.row}>
        <p>We couldn't load {what}.</p>
        <Button variant="secondary" size="sm" onClick={() => void Promise.all(failed.map(({ refetch }) => refetch()))}>
          Try again
        </Button>
      </div>
    </Notice>
  );
}

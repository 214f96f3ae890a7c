import type { UseQueryResult } from "@tanstack/react-query";
import { useIsOnline } from "@/lib/use-is-online";
import { Button } from "./button";
import styles from "./load-notice.module.css";
import { Notice } from "./notice";

type Query = Pick<UseQueryResult, "isLoadingError" | "refetch">;

type LoadNoticeProps = {
  /** The missing part, after "We couldn't load". */
  what: string;
  queries: readonly Query[];
};

/**
 * One line about a part of the page that didn't load, with a retry button. Shows nothing when it did. Without a
 * connection that is no error: the banner above says why, and the part loads by itself later.
 */
export function LoadNotice({ what, queries }: LoadNoticeProps) {
  const online = useIsOnline();
  const failed = queries.filter(({ isLoadingError }) => isLoadingError);
  if (failed.length === 0) return null;
  if (!online) return <Notice>You'll see {what} when you're back online.</Notice>;
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

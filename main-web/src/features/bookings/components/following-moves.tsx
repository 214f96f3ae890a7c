import type { UseQueryResult } from "@tanstack/react-query";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { fitting, type Following, type FollowingSession } from "../lib/following";
import styles from "./following-moves.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

const BADGES: Record<NonNullable<FollowingSession["fit"]>, { label: string; tone: "good" | "warning" | "neutral" }> = {
  free: { label: "Free", tone: "good" },
  taken: { label: "Taken", tone: "warning" },
  full: { label: "Full", tone: "warning" },
  too_soon: { label: "Too soon", tone: "warning" },
  not_open_yet: { label: "Not open yet", tone: "neutral" },
  not_offered: { label: "Not offered", tone: "warning" },
  fixed: { label: "Can't be moved", tone: "neutral" },
};

/** Where each session of the rest of a series would move, and whether it fits there. */
export function FollowingMoves({ following }: { following: UseQueryResult<Following> }) {
  if (following.isPending) {
    return (
      <div aria-busy="true">
        <p role="status">Checking each date…</p>
        <Skeleton height="6rem" radius="md" />
      </div>
    );
  }
  if (!following.data) {
    return (
      <ErrorState
        title="We couldn't check the dates."
        message={following.error.message}
        onRetry={() => void following.refetch()}
        retrying={following.isFetching}
      />
    );
  }
  const { sessions, zone } = following.data;
  const others = sessions.length - fitting(following.data).length;
  return (
    <>
      <ol className={styles.dates} aria-label="New dates">
        {sessions.map(({ id, startsAt, newStart, fit }) => (
          <li key={id} className={styles.date}>
            <span>
              {newStart !== null && formatSessionStart(newStart, zone)}
              <span className={styles.before}>Now {formatSessionStart(startsAt, zone)}</span>
            </span>
            {fit !== null && <Badge tone={BADGES[fit].tone}>{BADGES[fit].label}</Badge>}
          </li>
        ))}
      </ol>
      <div aria-live="polite">
        {others > 0 && (
          <Notice tone="warning">
            {others === sessions.length
              ? "None of these dates is possible. Choose another time."
              : `${others === 1 ? "One session stays" : `${others} sessions stay`} at the present time. Choose another time to move all of them.`}
          </Notice>
        )}
      </div>
    </>
  );
}

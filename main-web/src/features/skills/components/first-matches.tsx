import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { BlockEmpty } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/state";
import { useMatches } from "../api/get-matches";
import { markSeen } from "../lib/seen-matches";
import { MatchList, MoreWithPlan } from "./match-list";
import styles from "./skills-question.module.css";

/** New skills are compared with those of others within seconds. */
const WAIT_MS = 15_000;

/** The matches of skills that were just saved. They are asked for again until there is one, or for a while. */
export function FirstMatches({ onClose }: { onClose: () => void }) {
  const id = useId();
  const userId = useCurrentUserId();
  const [waits, setWaits] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  const matches = useMatches(userId || null, { waits });
  const found = matches.data?.matches;
  const isLooking = !matches.isError && (found === undefined || (found.length === 0 && waits));

  useEffect(() => {
    heading.current?.focus();
    const timer = setTimeout(() => setWaits(false), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (found) void markSeen(userId, found);
  }, [userId, found]);

  return (
    <Card as="section" padding="lg" aria-labelledby={id} className={styles.found}>
      <header>
        <h2 id={id} ref={heading} tabIndex={-1} className={styles.title}>
          {isLooking
            ? "Looking for neighbors who fit…"
            : found?.length
              ? "These neighbors fit"
              : "No neighbor fits yet"}
        </h2>
      </header>
      {matches.isError && !found ? (
        <ErrorState
          title="We couldn't load your matches"
          message={matches.error.message}
          onRetry={() => void matches.refetch()}
          retrying={matches.isFetching}
        />
      ) : isLooking ? (
        <MatchList matches={null} level="h3" />
      ) : found?.length ? (
        <>
          <MatchList matches={found} level="h3" />
          <MoreWithPlan count={matches.data?.moreWithPlan ?? 0} />
        </>
      ) : (
        <BlockEmpty
          action={
            <Button asChild size="sm">
              <Link to={paths.search}>Search everything</Link>
            </Button>
          }
        >
          Your skills are saved. As soon as a neighbor fits, you see them here. Gurus may teach it already.
        </BlockEmpty>
      )}
      {!isLooking && (
        <div className={styles.buttons}>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          <Button asChild variant="ghost">
            <Link to={paths.mySkills}>Change my skills</Link>
          </Button>
        </div>
      )}
    </Card>
  );
}

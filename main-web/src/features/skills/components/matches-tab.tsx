import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ErrorState } from "@/components/ui/state";
import { MatchList, MatchesSignedOut, MoreWithPlan } from "./match-list";
import { useMatches } from "../api/get-matches";
import { markSeen } from "../lib/seen-matches";
import styles from "./matches-tab.module.css";
import { SwapRings } from "./swap-rings";
import { SuggestedSkills } from "./suggested-skills";

type MatchesTabProps = { userId: string | null; matches: ReturnType<typeof useMatches> };

/** The AI Coaching tab; loaded when it is first opened. */
export function MatchesTab({ userId, matches }: MatchesTabProps) {
  if (userId === null) return <MatchesSignedOut />;
  return (
    <>
      {matches.isError && !matches.data ? (
        <ErrorState
          title="We couldn't load your matches"
          message={matches.error.message}
          onRetry={() => void matches.refetch()}
          retrying={matches.isFetching}
        />
      ) : (
        <>
          <ShownMatches userId={userId} first={matches} />
        </>
      )}
      <SuggestedSkills userId={userId} />
      <SwapRings userId={userId} />
    </>
  );
}

/** The first matches, and on request all of them. */
function ShownMatches({ userId, first }: { userId: string; first: MatchesTabProps["matches"] }) {
  const [wantsAll, setWantsAll] = useState(false);
  const all = useMatches(wantsAll ? userId : null, { all: true });
  const shown = (wantsAll ? all.data : undefined) ?? first.data;
  const seen = shown?.matches;
  useEffect(() => {
    if (seen) void markSeen(userId, seen);
  }, [userId, seen]);
  return (
    <>
      <MatchList matches={shown?.matches ?? null} />
      {shown && shown.moreMatches > 0 && (
        <p className={styles.moreMatches}>
          <Button variant="secondary" loading={all.isFetching} onClick={() => setWantsAll(true)}>
            Show {shown.moreMatches} more
          </Button>
        </p>
      )}
      {all.isError && <Notice tone="danger">{all.error.message}</Notice>}
      <MoreWithPlan count={shown?.moreWithPlan ?? 0} />
    </>
  );
}

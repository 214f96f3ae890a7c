import { ErrorState } from "@/components/ui/state";
import { MatchList, MatchesSignedOut, MoreWithPlan } from "./match-list";
import type { useMatches } from "../api/get-matches";
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
          <MatchList matches={matches.data?.matches ?? null} />
          <MoreWithPlan count={matches.data?.moreWithPlan ?? 0} />
        </>
      )}
      <SuggestedSkills userId={userId} />
      <SwapRings userId={userId} />
    </>
  );
}

import { Coaching, CoachingSignedOut } from "./ai-coaching";
import type { useMatches } from "./get-matches";
import { SwapRings } from "./swap-rings";
import { WhatIf } from "./what-if";

type CoachingTabProps = { userId: string | null; matches: ReturnType<typeof useMatches> };

/** All of the AI Coaching tab; it comes when the tab is first opened. */
export function CoachingTab({ userId, matches }: CoachingTabProps) {
  if (userId === null) return <CoachingSignedOut />;
  return (
    <>
      <Coaching matches={matches.isPending ? null : (matches.data?.matches ?? [])} />
      <WhatIf userId={userId} />
      <SwapRings userId={userId} />
    </>
  );
}

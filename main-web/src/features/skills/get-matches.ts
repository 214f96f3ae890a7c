import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../../kit/api";

export type MatchDetail =
  | { type: "direct_match"; teacherSkill: string }
  | { type: "reverse_match"; learnerWant: string }
  | { type: "location_bonus"; city: string };

export type Match = {
  user?: { name?: string | null; handle?: string; photoURL?: string } | null;
  matchScore: number;
  matchDetails: MatchDetail[];
  /** About how far; null when they do not show where they are. */
  miles?: number | null;
};
export type MatchList = { matches: Match[]; targetUserId: string; algorithm: string };

/** What the page asks for (SPEC 9). */
const LIMIT = 6;
const MIN_SCORE = 5;

/** People who fit; without somebody signed in the call is refused before it is made (SPEC 5). */
export function getMatches(userId: string | null, signal?: AbortSignal): Promise<MatchList> {
  if (!userId) return Promise.reject(new Error("User ID is required"));
  return api.get<MatchList>(`/skills/matches/${encodeURIComponent(userId)}`, {
    query: { limit: LIMIT, minScore: MIN_SCORE },
    ...(signal && { signal }),
  });
}

/** Asked for only on the coaching tab, for somebody signed in (SPEC 4). A failure is only logged (SPEC 8.3). */
export function useMatches(userId: string | null, wanted: boolean) {
  const found = useQuery({
    queryKey: ["skills", "matches", userId],
    queryFn: ({ signal }) => getMatches(userId, signal),
    enabled: wanted && userId !== null,
  });
  const { error } = found;
  useEffect(() => {
    if (error) console.warn("Could not load matches.", error);
  }, [error]);
  return found;
}

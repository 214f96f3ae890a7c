import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/api-client";

export type MatchDetail =
  | { type: "direct_match"; teacherSkill: string }
  | { type: "reverse_match"; learnerWant: string }
  | { type: "location_bonus"; city: string };

export type Match = {
  user?: { name?: string | null; handle?: string; photoURL?: string } | null;
  matchScore: number;
  matchDetails: MatchDetail[];
  /** Approximate distance; null when they hide their location. */
  miles?: number | null;
};
export type MatchList = {
  matches: Match[];
  /** How many more a plan would show. */
  moreWithPlan: number;
  targetUserId: string;
  algorithm: string;
};

/** Parameters of the request (SPEC 9). */
const LIMIT = 6;
const MIN_SCORE = 5;

/** List matching users; rejects without a user id before any request (SPEC 5). */
export function getMatches(userId: string | null, signal?: AbortSignal): Promise<MatchList> {
  if (!userId) return Promise.reject(new Error("User ID is required"));
  return api.GET("/skills/matches/{user_id}", {
    params: { path: { user_id: userId }, query: { limit: LIMIT, minScore: MIN_SCORE } },
    ...(signal && { signal }),
  });
}

/** List matches of signed-in users; the tab's label has their number (SPEC 2.8). Errors are logged, too (SPEC 8.3). */
export function useMatches(userId: string | null) {
  const matches = useQuery({
    queryKey: ["skills", "matches", userId],
    queryFn: ({ signal }) => getMatches(userId, signal),
    enabled: userId !== null,
  });
  const { error } = matches;
  useEffect(() => {
    if (error) console.warn("Could not load matches.", error);
  }, [error]);
  return matches;
}

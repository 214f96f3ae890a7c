import { keepPreviousData, useQuery } from "@tanstack/react-query";
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
  /** How many more there are to show. */
  moreMatches: number;
  /** How many more a plan would show. */
  moreWithPlan: number;
  targetUserId: string;
  algorithm: string;
};

/** Parameters of the request (SPEC 9). */
const LIMIT = 6;
const MIN_SCORE = 5;
/** The most that the server lists. */
const ALL = 50;
/** While the skills of a moment ago are compared. */
const POLL_MS = 1000;

/** The beginning of the query keys of everybody's matches. */
export const MATCHES_KEY = ["skills", "matches"];

type MatchesOptions = {
  /** Whether to list all instead of SPEC's number. */
  all?: boolean;
  /** Whether to ask again until there is a match. */
  waits?: boolean;
};

/** List matching users; rejects without a user id before any request (SPEC 5). */
export function getMatches(userId: string | null, signal?: AbortSignal, limit = LIMIT): Promise<MatchList> {
  if (!userId) return Promise.reject(new Error("User ID is required"));
  return api.GET("/skills/matches/{user_id}", {
    params: { path: { user_id: userId }, query: { limit, minScore: MIN_SCORE } },
    ...(signal && { signal }),
  });
}

/** List matches of signed-in users; the tab's label has their number (SPEC 2.8). Errors are logged, too (SPEC 8.3). */
export function useMatches(userId: string | null, { all = false, waits = false }: MatchesOptions = {}) {
  const matches = useQuery({
    queryKey: [...MATCHES_KEY, userId, ...(all ? ["all"] : [])],
    queryFn: ({ signal }) => getMatches(userId, signal, all ? ALL : LIMIT),
    enabled: userId !== null,
    ...(all && { placeholderData: keepPreviousData }),
    refetchInterval: ({ state }) => (waits && state.data?.matches.length === 0 ? POLL_MS : false),
  });
  const { error } = matches;
  useEffect(() => {
    if (error) console.warn("Could not load matches.", error);
  }, [error]);
  return matches;
}

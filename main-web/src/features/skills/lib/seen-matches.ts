import { useQuery } from "@tanstack/react-query";
import { keepData, keptData } from "@/lib/kept-data";
import type { Match } from "../api/get-matches";

const MAX_KEPT = 200;
const keyOf = (userId: string) => `${userId}/matches-seen`;

/** Remember in this browser that the user saw these matches; the handles are gone when they sign out. */
export async function markSeen(userId: string, matches: readonly Match[]): Promise<void> {
  const before = await readSeen(userId);
  const handles = matches.flatMap(({ user }) => (user?.handle ? [user.handle] : []));
  await keepData(keyOf(userId), [...new Set([...handles, ...before])].slice(0, MAX_KEPT));
}

async function readSeen(userId: string): Promise<string[]> {
  const [kept] = (await keptData(keyOf(userId))) as (string[] | undefined)[];
  return kept ?? [];
}

/** Return the handles of the matches that the user saw in this browser; undefined until they are read. */
export function useSeenMatches(userId: string) {
  return useQuery({
    queryKey: ["skills", "matches-seen", userId],
    queryFn: () => readSeen(userId),
    staleTime: 0,
    enabled: userId !== "",
  }).data;
}

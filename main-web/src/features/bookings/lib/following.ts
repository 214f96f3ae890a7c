import type { components } from "@porchlight/shared/api.gen";

/** The open sessions of a series from one on, and where each would move. */
export type Following = components["schemas"]["FollowingData"];
export type FollowingSession = Following["sessions"][number];

/** The sessions that can move to their new times. */
export function fitting(following: Following | undefined): FollowingSession[] {
  return following?.sessions.filter(({ fit }) => fit === "free") ?? [];
}

/** The button that moves what fits: "Move 5 sessions", or "Move the 3 that fit" when others stay. */
export function moveLabel(verb: string, following: Following | undefined): string {
  const count = fitting(following).length;
  if (count === following?.sessions.length || count === 0)
    return `${verb} ${following?.sessions.length ?? ""} sessions`;
  return count === 1 ? `${verb} the one that fits` : `${verb} the ${count} that fit`;
}

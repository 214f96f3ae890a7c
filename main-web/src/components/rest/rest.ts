import type { components } from "@porchlight/shared/api.gen";

/** The open sessions of a series from one on, and where each would move. */
export type Rest = components["schemas"]["RestData"];
export type RestSession = Rest["sessions"][number];

/** The sessions that can move to their new times. */
export function fitting(rest: Rest | undefined): RestSession[] {
  return rest?.sessions.filter(({ fit }) => fit === "free") ?? [];
}

/** The button that moves what fits: "Move 5 sessions", or "Move the 3 that fit" when others stay. */
export function moveLabel(verb: string, rest: Rest | undefined): string {
  const count = fitting(rest).length;
  if (count === rest?.sessions.length || count === 0) return `${verb} ${rest?.sessions.length ?? ""} sessions`;
  return count === 1 ? `${verb} the one that fits` : `${verb} the ${count} that fit`;
}

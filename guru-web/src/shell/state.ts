import type { Site } from "../site/types";

export type ShellState =
  | { kind: "waiting" }
  | { kind: "ready"; site: Site; props: Record<string, unknown>; troubles: string[] }
  | { kind: "trouble"; site: Site; troubles: string[] }
  | { kind: "not-found"; mainOrigin: string }
  | { kind: "no-guru"; mainOrigin: string };

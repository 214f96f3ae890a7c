import type { Site } from "../lib/types";

export type FallbackState =
  | { kind: "loading" }
  | { kind: "ready"; site: Site; props: Record<string, unknown>; errors: string[] }
  | { kind: "failed"; site: Site; errors: string[] }
  | { kind: "not-found"; mainOrigin: string }
  | { kind: "no-guru"; mainOrigin: string };

import type { Site } from "./types";

/** The address where a neighbor writes to the guru on the main platform. Visitors sign in there first. */
export function messagesUrl({ guru, mainOrigin }: Pick<Site, "guru" | "mainOrigin">): string {
  return `${mainOrigin}/messages/new?to=${encodeURIComponent(`guru:${guru.subdomain}`)}`;
}

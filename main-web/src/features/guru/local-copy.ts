import type { Words } from "./types";

const key = (id: string) => `porchlight.post.${id}`;

/** What was typed into a post on this device and has not reached the server yet, or null. */
export function readLocal(id: string): Words | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key(id)) ?? "null");
    return isWords(kept) ? kept : null;
  } catch {
    return null;
  }
}

export function keepLocal(id: string, words: Words) {
  try {
    localStorage.setItem(key(id), JSON.stringify(words));
  } catch {
    // A full or refused storage only costs the second copy.
  }
}

export function dropLocal(id: string) {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // Nothing was kept.
  }
}

function isWords(kept: unknown): kept is Words {
  if (typeof kept !== "object" || kept === null) return false;
  const { title, slug, tags, excerpt, content } = kept as Record<string, unknown>;
  return [title, slug, excerpt, content].every((text) => typeof text === "string") && Array.isArray(tags) && tags.every((tag) => typeof tag === "string");
}

export function sameWords(one: Words, other: Words): boolean {
  return (
    one.title === other.title &&
    one.slug === other.slug &&
    one.excerpt === other.excerpt &&
    one.content === other.content &&
    one.tags.join() === other.tags.join()
  );
}

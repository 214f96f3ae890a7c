import type { PostText } from "./types";

const key = (id: string) => `porchlight.post.${id}`;

/** Return the text of a post that was saved on this device but not on the server, or null. */
export function readLocalDraft(id: string): PostText | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(id)) ?? "null");
    return isPostText(stored) ? stored : null;
  } catch {
    return null;
  }
}

export function saveLocalDraft(id: string, text: PostText) {
  try {
    localStorage.setItem(key(id), JSON.stringify(text));
  } catch {
    // Storage is full or unavailable: only the server copy remains.
  }
}

export function deleteLocalDraft(id: string) {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // Storage is unavailable: nothing was saved.
  }
}

function isPostText(stored: unknown): stored is PostText {
  if (typeof stored !== "object" || stored === null) return false;
  const { title, slug, tags, excerpt, content } = stored as Record<string, unknown>;
  return (
    [title, slug, excerpt, content].every((text) => typeof text === "string") &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === "string")
  );
}

export function isSameText(one: PostText, other: PostText): boolean {
  return (
    one.title === other.title &&
    one.slug === other.slug &&
    one.excerpt === other.excerpt &&
    one.content === other.content &&
    one.tags.join() === other.tags.join()
  );
}

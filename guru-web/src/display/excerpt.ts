import { plainText } from "./plain-text";

const FALLBACK_LENGTH = 150;

/** SPEC 5: a post's own excerpt, else the first 150 characters of its content. */
export function excerpt(post: { excerpt?: string | null; content?: string | null }): string {
  const own = (post.excerpt ?? "").trim();
  if (own !== "") return own;
  // By code points, so that no character is cut in two.
  const characters = Array.from(plainText(post.content ?? ""));
  return characters.length > FALLBACK_LENGTH
    ? `${characters.slice(0, FALLBACK_LENGTH).join("").trimEnd()}…`
    : characters.join("");
}

import { plainText } from "./plain-text";

const MAX_EXCERPT_CHARACTERS = 150;
const NO_SENTENCES = /<(h[1-6]|pre|table)\b[^>]*>.*?<\/\1>/gs;

/** SPEC 5: the post's excerpt, or else the first 150 characters of its content, without headings, tables and code. */
export function excerpt(post: { excerpt?: string | null; content?: string | null }): string {
  const stored = (post.excerpt ?? "").trim();
  if (stored !== "") return stored;
  const content = post.content ?? "";
  // By code point, so that no character is split.
  const characters = Array.from(plainText(content.replace(NO_SENTENCES, " ")) || plainText(content));
  return characters.length > MAX_EXCERPT_CHARACTERS
    ? `${characters.slice(0, MAX_EXCERPT_CHARACTERS).join("").trimEnd()}…`
    : characters.join("");
}

import { plainText } from "./plain-text";

const WORDS_PER_MINUTE = 200;

/** SPEC 9: the word count divided by 200, rounded up; "3 min read" when there is no text. */
export function readTime(html: string | null | undefined): string {
  const text = plainText(html ?? "");
  if (text === "") return "3 min read";
  return `${String(Math.ceil(text.split(" ").length / WORDS_PER_MINUTE))} min read`;
}

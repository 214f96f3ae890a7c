/** A part of a message's text: words, or a link. */
export type BodyPart = { text: string; href?: string };

const LINK = /\bhttps?:\/\/[^\s<>"']+/gi;
/** What follows a link in a sentence rather than belonging to it. */
const TRAILING = /[.,;:!?)\]}'"»”’]+$/u;

/** Split a text into words and links, so that links can be opened. */
export function bodyParts(body: string): BodyPart[] {
  const parts: BodyPart[] = [];
  let end = 0;
  for (const { 0: found, index } of body.matchAll(LINK)) {
    const text = found.replace(TRAILING, (signs) => (signs.startsWith(")") && found.includes("(") ? ")" : ""));
    const url = URL.parse(text);
    if (!url || url.username || url.password) continue;
    if (index > end) parts.push({ text: body.slice(end, index) });
    parts.push({ text, href: url.href });
    end = index + text.length;
  }
  if (end < body.length) parts.push({ text: body.slice(end) });
  return parts;
}

const ONLY_EMOJI = /^(?:\p{RI}{2}|\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F|\u200D)*|\s){1,8}$/u;

/** Whether a text is a few emoji, which are shown large. */
export const isOnlyEmoji = (body: string) => body.trim() !== "" && ONLY_EMOJI.test(body.trim());

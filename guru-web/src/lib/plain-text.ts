const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** Text of sanitized HTML, with single spaces. Use it for word counts and excerpts; render it as text, never as HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim();
}

/** Whether the text of sanitized HTML begins with these words. */
export function beginsWith(html: string, words: string): boolean {
  return plainText(html).startsWith(plainText(words));
}

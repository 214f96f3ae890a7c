/** Return a text as the title of a form, with a capital at its start: "electrician" as "Electrician". */
export function sentenceCase(text: string): string {
  const [first = "", ...rest] = text.trim();
  return first.toLocaleUpperCase() + rest.join("");
}

const HYPHENATED = /(\S*[\p{L}\p{N}]-[\p{L}\p{N}]\S*)/u;

/**
 * Split a title into parts, of which each second one is a word with a hyphen, such as "One-on-One". Such a word is kept
 * in one line by an element of its own: other characters in place of its hyphens would be copied and not be found.
 */
export function wholeWords(title: string): string[] {
  return title.split(HYPHENATED);
}

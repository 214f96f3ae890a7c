/** Larger ones are pasted as plain text: converting them would stop the page for seconds. */
const MAX_HTML_LENGTH = 1_000_000;
const FORMATTING =
  /<(?:a\s|b|strong|em|i|h[1-6]|ul|ol|li|table|blockquote|img|del|s|strike|code)[\s>]|font-weight:\s*(?:bold|[6-9]00)|font-style:\s*italic|line-through/i;

/** Return the HTML of a clipboard with formatting to keep, or null. Code editors, for example, copy only colors. */
export function formattedHtml(clipboard: DataTransfer): string | null {
  const html = clipboard.getData("text/html");
  if (!html || html.length > MAX_HTML_LENGTH || clipboard.types.includes("vscode-editor-data")) return null;
  return FORMATTING.test(html) ? html : null;
}

/** Return pasted HTML as Markdown, and what of it could not be kept, in words for the person who pastes. */
export async function toMarkdown(html: string, plainText: string): Promise<{ text: string; note: string }> {
  try {
    // Loaded at the first paste with formatting: few posts are pasted.
    const { htmlToMarkdown } = await import("./html-to-markdown");
    const { markdown, lostPictures } = htmlToMarkdown(html);
    const note = lostPictures > 0 ? "Pictures aren't pasted with the words. Add them with the picture button." : "";
    return { text: markdown || plainText, note };
  } catch {
    return { text: plainText, note: "The words were pasted without their formatting." };
  }
}

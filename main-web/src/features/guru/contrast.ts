/** WCAG 2 relative luminance of "#rrggbb". */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG 2 contrast of two "#rrggbb" colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** About as dark as a guru's page is, whatever its colors. */
const PAGE = "#16191a";

/** What becomes of a picked color on a dark page, in a sentence. */
export function contrastNote(colour: string): string {
  if (!/^#[0-9a-fA-F]{6}$/.test(colour)) return "";
  const ratio = contrast(colour, PAGE);
  // Never rounded up: 4.48 is not enough.
  const shown = `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
  return ratio >= 4.5
    ? `Reads well on your dark pages (${shown}).`
    : `Too dark for words on your pages (${shown}), so we use a lighter shade of it there.`;
}

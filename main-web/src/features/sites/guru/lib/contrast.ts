import type { Appearance } from "./site-schema";

/** Return the WCAG 2 relative luminance of "#rrggbb". */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Return the WCAG 2 contrast ratio of two "#rrggbb" colors, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The approximate backgrounds of a guru's pages, the same for all colors. */
const DAY_BACKGROUND = "#f6f5f3";
const DUSK_BACKGROUND = "#16191a";
const MIN_CONTRAST = 4.5;

/** Describe the contrast of a color on the pages of a site; "" for an invalid color. */
export function contrastNote(color: string, appearance: Appearance): string {
  if (!/^#[0-9a-fA-F]{6}$/.test(color)) return "";
  if (appearance === "device") return "We'll use a darker shade for text by day, and a lighter one at dusk.";
  const ratio = contrast(color, appearance === "day" ? DAY_BACKGROUND : DUSK_BACKGROUND);
  // Rounded down: 4.48 is not enough.
  const ratioText = `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
  if (ratio >= MIN_CONTRAST) return `Easy to read on your site (${ratioText}).`;
  return appearance === "day"
    ? `A bit light for text (${ratioText}), so we'll use a darker shade.`
    : `A bit dark for text (${ratioText}), so we'll use a lighter shade.`;
}

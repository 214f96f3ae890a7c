import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

const PLACES = { main: "", guru: '[data-place="guru"]', admin: '[data-place="admin"]' };
type Place = keyof typeof PLACES;

/** Return the value of a token as linear red, green and blue from 0 to 1. */
function token(name: string, place: Place): number[] {
  const value = new RegExp(`--color-${name}:\\s*([^;]+);`).exec(css)?.[1];
  if (!value) throw new Error(`no color token ${name}`);
  if (value.startsWith("#"))
    return [1, 3, 5].map((index) => linear(Number.parseInt(value.slice(index, index + 2), 16)));
  const tint = css.split(`:root${PLACES[place]} {`)[1]?.match(/--tint: ([\d. ]+);/)?.[1] ?? "";
  const numbers = /^oklch\(([\d. ]+)\)$/.exec(value.replace("var(--tint)", tint))?.[1]?.split(" ").map(Number);
  const [lightness = NaN, chroma = NaN, hue = NaN] = numbers ?? [];
  return fromOklch(lightness, chroma, (hue * Math.PI) / 180);
}

function linear(value: number): number {
  const channel = value / 255;
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** Convert OKLCH (hue in radians) to linear sRGB, as CSS Color 4 does. */
function fromOklch(lightness: number, chroma: number, hue: number): number[] {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Relative luminance, WCAG 2.2. */
function luminance([r = NaN, g = NaN, b = NaN]: number[]): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return the lowest contrast of two colors in any place. */
function contrast(first: string, second: string): number {
  const contrasts = (Object.keys(PLACES) as Place[]).map((place) => {
    const both = [luminance(token(first, place)), luminance(token(second, place))];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  });
  return Math.min(...contrasts);
}

const BACKGROUNDS = ["ground", "ground-deep", "surface", "surface-raised", "surface-hover"];

describe("WCAG AA", () => {
  it.each(
    ["text", "text-soft", "text-faint", "primary-text", "light", "warning", "danger", "info"].flatMap((text) =>
      BACKGROUNDS.map((background) => [text, background] as const),
    ),
  )("text %s has contrast 4.5 on %s", (text, background) => {
    expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ["on-primary", "primary"],
    ["on-primary", "primary-hover"],
    ["on-primary", "primary-pressed"],
    ["on-danger", "danger-strong"],
    ["on-danger", "danger"],
    ["primary-text", "primary-soft"],
    ["light", "light-soft"],
    ["text-soft", "light-soft"],
    ["warning", "warning-soft"],
    ["danger", "danger-soft"],
    ["info", "info-soft"],
    ["text", "info-soft"],
    ["text", "danger-soft"],
    ["text", "primary-soft"],
    ["text", "light-soft"],
    ["text", "warning-soft"],
    ["ground-deep", "light"],
  ])("text %s has contrast 4.5 on %s", (text, background) => {
    expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(
    ["line-strong", "focus", "primary"].flatMap((edge) =>
      ["ground", "ground-deep", "surface", "surface-raised"].map((background) => [edge, background] as const),
    ),
  )("edge %s has contrast 3 on %s", (edge, background) => {
    expect(contrast(edge, background)).toBeGreaterThanOrEqual(3);
  });
});

describe("surfaces", () => {
  /** About the least difference of two dark planes that people see at an edge. */
  const STEP = 1.12;

  it.each([
    ["ground", "surface"],
    ["surface", "surface-raised"],
    ["surface-raised", "surface-hover"],
  ])("%s differs from %s", (back, front) => {
    expect(contrast(back, front)).toBeGreaterThanOrEqual(STEP);
  });
});

describe("styles", () => {
  const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));

  it("use tokens that exist", () => {
    const unknown = files.flatMap((name) => {
      const text = readFileSync(join(SOURCES, name), "utf8");
      const used = [...text.matchAll(/var\((--(?:color|font|text|leading|tracking|weight|radius|shadow)-[\w-]+)/g)];
      return used.filter(([, token]) => !css.includes(`${token}:`)).map(([, token]) => `${name} ${token}`);
    });
    expect(files.length).toBeGreaterThan(100);
    expect(unknown).toEqual([]);
  });
});

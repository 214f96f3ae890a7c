import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function token(name: string): string {
  const value = new RegExp(`--color-${name}:\\s*(#[0-9a-f]{6});`).exec(css)?.[1];
  if (!value) throw new Error(`no color token ${name}`);
  return value;
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((index) => {
    const channel = Number.parseInt(hex.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(first: string, second: string): number {
  const [lighter, darker] = [luminance(token(first)), luminance(token(second))].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

const BACKGROUNDS = ["ground", "ground-deep", "surface", "surface-raised", "surface-hover"];

describe("WCAG AA", () => {
  it.each(
    ["text", "text-soft", "text-faint", "primary-text", "warning", "danger", "info"].flatMap((text) =>
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
    ["warning", "warning-soft"],
    ["danger", "danger-soft"],
    ["info", "info-soft"],
    ["text", "info-soft"],
    ["text", "danger-soft"],
    ["text", "primary-soft"],
    ["text", "warning-soft"],
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

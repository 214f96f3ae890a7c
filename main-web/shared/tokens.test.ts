import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function token(name: string): string {
  const value = new RegExp(`--color-${name}:\\s*(#[0-9a-f]{6});`).exec(css)?.[1];
  if (!value) throw new Error(`no colour token ${name}`);
  return value;
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(token(one)), luminance(token(other))].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ["ground", "ground-deep", "surface", "surface-raised", "surface-hover"];

describe("WCAG AA", () => {
  it.each(
    ["text", "text-soft", "text-faint", "primary-text", "lamp", "danger", "info"].flatMap((text) =>
      GROUNDS.map((ground) => [text, ground] as const),
    ),
  )("%s reads on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ["on-primary", "primary"],
    ["on-primary", "primary-hover"],
    ["on-primary", "primary-pressed"],
    ["on-danger", "danger-strong"],
    ["on-danger", "danger"],
    ["primary-text", "primary-soft"],
    ["lamp", "lamp-soft"],
    ["danger", "danger-soft"],
    ["info", "info-soft"],
    ["text", "info-soft"],
    ["text", "danger-soft"],
    ["text", "primary-soft"],
    ["text", "lamp-soft"],
  ])("%s reads on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(
    ["line-strong", "focus", "primary"].flatMap((edge) =>
      ["ground", "ground-deep", "surface", "surface-raised"].map((ground) => [edge, ground] as const),
    ),
  )("the edge %s is seen on %s", (edge, ground) => {
    expect(contrast(edge, ground)).toBeGreaterThanOrEqual(3);
  });
});

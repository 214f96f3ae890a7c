import { describe, expect, it } from "vitest";
import { formatCents, formatMoney, moneyInputValue, parseMoney } from "./money";

describe("formatMoney", () => {
  it.each([
    [4500, "$45"],
    [1950, "$19.50"],
    [120_000, "$1,200"],
    [0, "$0"],
  ])("formats %d cents as %s", (cents, text) => expect(formatMoney(cents)).toBe(text));

  it("formats other currencies", () => expect(formatMoney(1950, "EUR")).toBe("€19.50"));
});

describe("formatCents", () => {
  it.each([
    [4500, "$45.00"],
    [1, "$0.01"],
    [-123_456, "-$1,234.56"],
  ])("formats %d cents as %s", (cents, text) => expect(formatCents(cents)).toBe(text));
});

describe("moneyInputValue", () => {
  it.each([
    [4500, "45"],
    [1950, "19.50"],
  ])("formats %d cents as %s", (cents, text) => expect(moneyInputValue(cents)).toBe(text));
});

describe("parseMoney", () => {
  it.each([
    ["45", 4500],
    ["$45.5", 4550],
    [" 1,200 ", 120_000],
    ["19.99", 1999],
    ["", null],
    ["45.123", null],
    ["-3", null],
    ["1,2", null],
    ["ten", null],
  ])("parses %j as %s cents", (text, cents) => expect(parseMoney(text)).toBe(cents));
});

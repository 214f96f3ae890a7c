import { describe, expect, it } from "vitest";
import { formatDuration, formatFileSize, formatList, formatNumber, formatRating, pluralize } from "./numbers";
import { displayUrl } from "./urls";

describe("numbers", () => {
  it("have thousands separators", () => expect(formatNumber(1_234_567)).toBe("1,234,567"));

  it("have one decimal in ratings", () => expect([4, 4.75].map(formatRating)).toEqual(["4.0", "4.8"]));

  it.each([
    [1, "1 lead"],
    [0, "0 leads"],
    [1200, "1,200 leads"],
  ])("pluralize %i", (count, text) => expect(pluralize(count, "lead")).toBe(text));

  it("pluralize irregular nouns", () => expect(pluralize(2, "person", "people")).toBe("2 people"));
});

it("formats lists", () => expect(formatList(["a", "b", "c"])).toBe("a, b, and c"));

it.each([
  [45, "45 min"],
  [60, "1 h"],
  [90, "1 h 30 min"],
])("formats %i minutes as %s", (minutes, text) => expect(formatDuration(minutes)).toBe(text));

it.each([
  [10, "1 KB"],
  [12_288, "12 KB"],
  [3_565_158, "3.4 MB"],
])("formats %i bytes as %s", (bytes, text) => expect(formatFileSize(bytes)).toBe(text));

it("formats URLs without their scheme", () =>
  expect(displayUrl("https://ada.example.com/x")).toBe("ada.example.com/x"));

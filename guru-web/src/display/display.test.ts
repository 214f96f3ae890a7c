import { describe, expect, test } from "vitest";

import { formatDate } from "./date";
import { excerpt } from "./excerpt";
import { cardTags, heroChips, showsViewAll, shownStats, skillSentence } from "./limits";
import { formatPrice, formatViews, grouped } from "./numbers";
import { plainText } from "./plain-text";
import { readTime } from "./read-time";

const words = (count: number) => `<p>${Array.from({ length: count }, () => "bread").join(" ")}</p>`;

describe("read time", () => {
  test.each([
    [1, "1 min read"],
    [200, "1 min read"],
    [201, "2 min read"],
    [1000, "5 min read"],
  ])("%i words", (count, expected) => {
    expect(readTime(words(count))).toBe(expected);
  });

  test.each([null, undefined, "", "  ", "<p></p>", "<img src='x'>"])("nothing to count: %j", (content) => {
    expect(readTime(content)).toBe("3 min read");
  });
});

describe("excerpt", () => {
  test("a post's own comes first", () => {
    expect(excerpt({ excerpt: " Short. ", content: words(500) })).toBe("Short.");
  });

  test("else the first 150 characters of the content, without markup", () => {
    const text = excerpt({ excerpt: "", content: `<h2>Rye &amp; salt</h2>${words(100)}` });
    expect(text.startsWith("Rye & salt bread")).toBe(true);
    expect(Array.from(text).length).toBeLessThanOrEqual(151);
    expect(text.endsWith("…")).toBe(true);
  });

  test("exactly 150 characters are not cut, and no character is cut in two", () => {
    expect(excerpt({ content: "a".repeat(150) })).toBe("a".repeat(150));
    expect(excerpt({ content: "🍞".repeat(151) })).toBe(`${"🍞".repeat(150)}…`);
  });

  test("nothing at all", () => {
    expect(excerpt({})).toBe("");
  });
});

test("plain text keeps words apart and turns entities into letters once", () => {
  expect(plainText("<p>one</p><p>two&nbsp;&lt;b&gt;</p>&amp;lt;")).toBe("one two <b> &lt;");
});

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1K+"],
  [1999, "1K+"],
  [12_345, "12K+"],
  [1_234_567, "1,234K+"],
  [-5, "0"],
])("%i views", (views, expected) => {
  expect(formatViews(views)).toBe(expected);
});

test("numbers and prices are the same in every language", () => {
  expect(grouped(1_234_567)).toBe("1,234,567");
  expect([75, 1200, 19.5].map(formatPrice)).toEqual(["$75", "$1,200", "$19.50"]);
});

test("dates are those of UTC", () => {
  expect(formatDate("2026-10-03T23:59:59Z")).toBe("Oct 3, 2026");
  expect(formatDate("2026-13-03T00:00:00Z")).toBe("");
  expect(formatDate("soon")).toBe("");
});

describe("limits", () => {
  const six = ["a", "b", "c", "d", "e", "f"];

  test("at most five chips, three tags, three skills in the sentence", () => {
    expect(heroChips(six)).toEqual(["a", "b", "c", "d", "e"]);
    expect(cardTags({ tags: six })).toEqual(["a", "b", "c"]);
    expect(skillSentence(six)).toBe("a, b and c");
    expect(skillSentence(["a", "b"])).toBe("a and b");
    expect(skillSentence(["a"])).toBe("a");
    expect(skillSentence([])).toBe("");
  });

  test("View All Resources from three posts on", () => {
    expect([0, 2, 3, 9].map((length) => showsViewAll(Array.from({ length })))).toEqual([false, false, true, true]);
  });

  test("stats show only when greater than 0", () => {
    expect(shownStats({ totalPosts: 0, totalViews: 0, monthlyVisitors: 0, totalLeads: 0 })).toEqual([]);
    expect(shownStats({ totalPosts: 7, totalViews: 48_210, monthlyVisitors: 0, totalLeads: 1 })).toEqual([
      { label: "Resources", value: "7" },
      { label: "Views", value: "48K+" },
      { label: "Enquiries", value: "1" },
    ]);
  });
});

import { describe, expect, test } from "vitest";

import { excerpt } from "./excerpt";
import { plainText } from "./plain-text";
import { readTime } from "./read-time";

const paragraph = (wordCount: number) => `<p>${Array.from({ length: wordCount }, () => "bread").join(" ")}</p>`;

describe("readTime", () => {
  test.each([
    [1, "1 min read"],
    [200, "1 min read"],
    [201, "2 min read"],
    [1000, "5 min read"],
  ])("rounds %i words up to whole minutes", (wordCount, expected) => {
    expect(readTime(paragraph(wordCount))).toBe(expected);
  });

  test.each([null, undefined, "", "  ", "<p></p>", "<img src='x'>"])("without text uses the default: %j", (content) => {
    expect(readTime(content)).toBe("3 min read");
  });
});

describe("excerpt", () => {
  test("prefers the stored excerpt", () => {
    expect(excerpt({ excerpt: " Short. ", content: paragraph(500) })).toBe("Short.");
  });

  test("falls back to 150 characters of plain content", () => {
    const text = excerpt({ excerpt: "", content: `<p>Rye &amp; salt</p>${paragraph(100)}` });
    expect(text.startsWith("Rye & salt bread")).toBe(true);
    expect(Array.from(text).length).toBeLessThanOrEqual(151);
    expect(text.endsWith("…")).toBe(true);
  });

  test("leaves out headings, tables and code", () => {
    const content =
      '<h2 id="a">Flour</h2><p>Rye.</p><pre><code>x</code></pre><table><tr><td>1</td></tr></table><p>Salt.</p>';
    expect(excerpt({ content })).toBe("Rye. Salt.");
    expect(excerpt({ content: "<h2>Flour</h2>" })).toBe("Flour");
  });

  test("keeps exactly 150 characters whole", () => {
    expect(excerpt({ content: "a".repeat(150) })).toBe("a".repeat(150));
  });

  test("does not split surrogate pairs", () => {
    expect(excerpt({ content: "🍞".repeat(151) })).toBe(`${"🍞".repeat(150)}…`);
  });

  test("of an empty post is empty", () => {
    expect(excerpt({})).toBe("");
  });
});

test("plainText separates blocks and decodes entities once", () => {
  expect(plainText("<p>one</p><p>two&nbsp;&lt;b&gt;</p>&amp;lt;")).toBe("one two <b> &lt;");
});

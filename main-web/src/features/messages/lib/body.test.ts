import { describe, expect, it } from "vitest";
import { bodyParts, isOnlyEmoji } from "./body";

describe("bodyParts", () => {
  it("keeps the signs of the sentence out of a link", () => {
    expect(bodyParts("See https://example.com/a_(b), or (https://example.org/?q=1).")).toEqual([
      { text: "See " },
      { text: "https://example.com/a_(b)", href: "https://example.com/a_(b)" },
      { text: ", or (" },
      { text: "https://example.org/?q=1", href: "https://example.org/?q=1" },
      { text: ")." },
    ]);
  });

  it("links neither other schemes nor addresses with a password", () => {
    for (const body of ["javascript:alert(1)", "ftp://example.com", "https://porchlight@evil.example/", "no link"])
      expect(bodyParts(body)).toEqual([{ text: body }]);
  });
});

describe("isOnlyEmoji", () => {
  it("tells a few emoji from text", () => {
    for (const body of ["👍", "🎉🎉", "👩‍🍳 ❤️", "🇲🇽", "👍🏽"]) expect(isOnlyEmoji(body), body).toBe(true);
    for (const body of ["", "7", "#1", "ok 👍", "🎉".repeat(9)]) expect(isOnlyEmoji(body), body).toBe(false);
  });
});

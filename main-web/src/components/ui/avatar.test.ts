import { describe, expect, it } from "vitest";
import { initials } from "./avatar";

describe("initials", () => {
  it.each([
    ["Ada Lovelace", "AL"],
    ["  grace  brewster hopper ", "GH"],
    ["Plato", "P"],
    ["ada@example.com", "A"],
    ["🦊 Fox", "🦊F"],
    ["", "?"],
    ["   ", "?"],
  ])("%j has %j", (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});

import { expect, it } from "vitest";
import { toSlug } from "./slug";

it.each([
  ["Crème brûlée", "creme-brulee"],
  ["Smørrebrød & Straße", "smorrebrod-strasse"],
  ["Łódź 2½", "lodz-2-1-2-"],
  ["Don’t ", "dont-"],
  ["beans-", "beans-"],
])("keeps the letters of %s", (typed, slug) => {
  expect(toSlug(typed)).toBe(slug);
});

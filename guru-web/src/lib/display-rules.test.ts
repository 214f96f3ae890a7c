import { describe, expect, test } from "vitest";

import { cardTags, hasViewAll, heroChips, skillSentence, visibleStats } from "./display-rules";

const six = ["a", "b", "c", "d", "e", "f"];

test("hero shows at most five chips", () => {
  expect(heroChips(six)).toEqual(["a", "b", "c", "d", "e"]);
});

test("post card shows at most three tags", () => {
  expect(cardTags({ tags: six })).toEqual(["a", "b", "c"]);
});

test.each([
  [six, "a, b and c"],
  [["a", "b"], "a and b"],
  [["a"], "a"],
  [[], ""],
])("hero sentence joins at most three skills: %j", (skills, expected) => {
  expect(skillSentence(skills)).toBe(expected);
});

test("View All Resources appears from three posts", () => {
  expect([0, 2, 3, 9].map((length) => hasViewAll(Array.from({ length })))).toEqual([false, false, true, true]);
});

describe("stats", () => {
  test("zeros are hidden", () => {
    expect(visibleStats({ totalPosts: 0, totalViews: 0, monthlyVisitors: 0, totalLeads: 0 })).toEqual([]);
  });

  test("positive numbers are labeled and formatted", () => {
    expect(visibleStats({ totalPosts: 7, totalViews: 48_210, monthlyVisitors: 0, totalLeads: 1 })).toEqual([
      { label: "Resources", value: "7" },
      { label: "Views", value: "48K+" },
      { label: "Inquiries", value: "1" },
    ]);
  });
});

import { describe, expect, test } from "vitest";

import { defaultServices, fallbackGuru } from "../fallback/default-content";
import {
  cardTags,
  extraCategories,
  featuredService,
  guruFacts,
  hasViewAll,
  heroChips,
  skillSentence,
  visibleStats,
  visibleViews,
} from "./display-rules";
import type { Service } from "./types";

const six = ["a", "b", "c", "d", "e", "f"];

test("hero shows at most five chips", () => {
  expect(heroChips(six)).toEqual(["a", "b", "c", "d", "e"]);
});

test("post card shows at most three tags", () => {
  expect(cardTags({ tags: six.map((name) => ({ slug: name, name })) }).map((tag) => tag.name)).toEqual(["a", "b", "c"]);
});

test.each([
  [six, "a, b and c"],
  [["a", "b"], "a and b"],
  [["a"], "a"],
  [[], ""],
  [
    ["Everyday home cooking", "Knife skills", "High-altitude baking"],
    "everyday home cooking, knife skills and high-altitude baking",
  ],
  [["Spanish conversation", "DIY", "iPhone basics"], "Spanish conversation, DIY and iPhone basics"],
  [["Front Range vegetable growing", "Wi-Fi setup"], "Front Range vegetable growing and Wi-Fi setup"],
  [["New Mexican classics", "Python", "CSS layout"], "New Mexican classics, Python and CSS layout"],
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
    ]);
  });

  test("views below a thousand and the number of leads are hidden", () => {
    expect(visibleStats({ totalPosts: 0, totalViews: 999, monthlyVisitors: 0, totalLeads: 12 })).toEqual([]);
  });
});

test("views of a post are shown in thousands or not at all", () => {
  expect([0, 999, 1000, 12_345].map(visibleViews)).toEqual([null, null, "1K+", "12K+"]);
});

describe("facts", () => {
  const services = [75, 0, 45, 200].map((price) => ({ price }) as Service);

  test("known facts are listed, the lowest price first", () => {
    expect(guruFacts({ answerMinutes: 95, sessions: 1204 }, services).map(({ text }) => text)).toEqual([
      "From $45",
      "1,204 sessions done",
      "Usually answers within 2 hours",
    ]);
    expect(guruFacts({ answerMinutes: null, sessions: 1 }, []).map(({ text }) => text)).toEqual(["1 session done"]);
  });

  test("what is not known is left out", () => {
    expect(guruFacts({ answerMinutes: null, sessions: 0 }, [])).toEqual([]);
  });
});

test("a site names its only category once, unless it has a badge", () => {
  const guru = fallbackGuru("cooking");
  const creative = { slug: "creative", name: "Creative", verified: false };
  expect(extraCategories({ ...guru, category: "creative", categories: [creative] })).toEqual([]);
  const verified = [{ ...creative, verified: true }];
  expect(extraCategories({ ...guru, category: "creative", categories: verified })).toEqual(verified);
  expect(extraCategories({ ...guru, category: "culinary", categories: [creative] })).toEqual([creative]);
});

test("the popular service represents the others, else the first", () => {
  const [first, second] = defaultServices;
  if (!first || !second) throw new Error("There are no default services.");
  expect(featuredService([second, first])).toBe(first);
  expect(featuredService([second])).toBe(second);
  expect(featuredService([])).toBeUndefined();
});

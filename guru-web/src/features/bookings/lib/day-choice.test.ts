import { expect, test } from "vitest";

import { chosenDay, startsByDay } from "./day-choice";

const at = (startsAt: string) => ({ startsAt, seats: 1 });

test("startsByDay groups by the day in the guru's zone", () => {
  const days = startsByDay([at("2026-12-02T01:00:00Z"), at("2026-12-02T16:00:00Z")], "America/Denver");
  expect([...days.keys()]).toEqual(["2026-12-01", "2026-12-02"]);
});

test("chosenDay is the chosen day, else the first with times in the range", () => {
  const days = new Map(["2026-11-30", "2026-12-08", "2026-12-09"].map((day) => [day, []]));
  const choice = { shown: "2026-12-07", day: null };
  expect(chosenDay({ ...choice, range: "month" }, days)).toBe("2026-12-08");
  expect(chosenDay({ ...choice, range: "week" }, days)).toBe("2026-12-08");
  expect(chosenDay({ shown: "2026-12-14", day: null, range: "week" }, days)).toBeNull();
  expect(chosenDay({ shown: "2026-12-14", day: "2026-12-20", range: "week" }, days)).toBe("2026-12-20");
});

import { expect, test } from "vitest";

import { chosenDay, countFree, startsByDay } from "./day-choice";

const at = (startsAt: string) => ({ startsAt, seats: 1 });

test("startsByDay groups by the day in the guru's zone", () => {
  const starts = [at("2026-12-02T01:00:00Z"), at("2026-12-02T16:00:00Z")];
  const days = startsByDay({ starts, full: [], zone: "America/Denver" });
  expect([...days.keys()]).toEqual(["2026-12-01", "2026-12-02"]);
});

test("startsByDay has full sessions without seats, in order", () => {
  const full = ["2026-12-02T15:00:00Z", "2026-12-01T15:00:00Z"];
  const days = startsByDay({ starts: [at("2026-12-02T16:00:00Z")], full, zone: "America/Denver" });
  expect([...days]).toEqual([
    ["2026-12-01", [{ startsAt: "2026-12-01T15:00:00Z", seats: 0 }]],
    ["2026-12-02", [{ startsAt: "2026-12-02T15:00:00Z", seats: 0 }, at("2026-12-02T16:00:00Z")]],
  ]);
  expect(countFree(days.get("2026-12-02") ?? [])).toBe(1);
});

test("chosenDay prefers a day with free times to a full one", () => {
  const days = new Map([
    ["2026-12-01", [{ startsAt: "2026-12-01T15:00:00Z", seats: 0 }]],
    ["2026-12-05", [at("2026-12-05T15:00:00Z")]],
  ]);
  expect(chosenDay({ shown: "2026-12-01", day: null, range: "month" }, days)).toBe("2026-12-05");
  days.delete("2026-12-05");
  expect(chosenDay({ shown: "2026-12-01", day: null, range: "month" }, days)).toBe("2026-12-01");
});

test("chosenDay is the chosen day, else the first with times in the range", () => {
  const days = new Map(["2026-11-30", "2026-12-08", "2026-12-09"].map((day) => [day, []]));
  const choice = { shown: "2026-12-07", day: null };
  expect(chosenDay({ ...choice, range: "month" }, days)).toBe("2026-12-08");
  expect(chosenDay({ ...choice, range: "week" }, days)).toBe("2026-12-08");
  expect(chosenDay({ shown: "2026-12-14", day: null, range: "week" }, days)).toBeNull();
  expect(chosenDay({ shown: "2026-12-14", day: "2026-12-20", range: "week" }, days)).toBe("2026-12-20");
});

import { expect, it } from "vitest";
import { groupByDay } from "./days";

it("groups by the viewer's days", () => {
  const now = new Date(2027, 0, 2, 9).getTime();
  const at = (day: number, hour: number) => ({ createdAt: new Date(2027, 0, day, hour).toISOString() });
  const old = { createdAt: new Date(2026, 11, 20, 9).toISOString() };
  const groups = groupByDay([at(2, 8), at(2, 0), at(1, 23), old], now);
  expect(groups.map(({ title, items }) => [title, items.length])).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    ["Dec 20, 2026", 1],
  ]);
  expect(groupByDay([], now)).toEqual([]);
});

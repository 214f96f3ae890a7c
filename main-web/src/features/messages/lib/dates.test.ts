import { expect, it } from "vitest";
import { formatDay, formatWhen } from "./dates";

const local = (day: number, hour: number, month = 10, year = 2026) => new Date(year, month, day, hour).toISOString();
const NOW = new Date(2026, 10, 25, 9).getTime();

it("formatWhen names a time by how long ago it is", () => {
  expect(formatWhen(local(25, 8), NOW)).toBe("8:00 AM");
  expect(formatWhen(local(24, 23), NOW)).toBe("Yesterday");
  expect(formatWhen(local(21, 12), NOW)).toBe("Sat");
  expect(formatWhen(local(3, 12), NOW)).toBe("Nov 3");
  expect(formatWhen(local(3, 12, 9, 2025), NOW)).toBe("Oct 3, 2025");
  expect(formatWhen("never", NOW)).toBe("");
});

it("formatDay names the day of a message", () => {
  expect(formatDay(local(25, 1), NOW)).toBe("Today");
  expect(formatDay(local(24, 23), NOW)).toBe("Yesterday");
  expect(formatDay(local(21, 12), NOW)).toBe("Saturday, November 21");
  expect(formatDay(local(3, 12, 9, 2025), NOW)).toBe("Oct 3, 2025");
});

import { expect, it } from "vitest";
import { daysOfSlots, firstDayFrom } from "./slot-days";

it("groups free starts by the guru's day, without the present start and full ones", () => {
  const slots = [
    { startsAt: "2026-12-01T16:00:00Z", seats: 1 },
    { startsAt: "2026-12-01T18:00:00Z", seats: 2 },
    { startsAt: "2026-12-02T00:00:00Z", seats: 2 },
    { startsAt: "2026-12-02T18:00:00Z", seats: 1 },
    { startsAt: "2026-12-03T18:00:00Z", seats: 4 },
  ];
  expect(daysOfSlots(slots, { startsAt: "2026-12-01T16:00:00Z", zone: "America/Denver", party: 2 })).toEqual([
    { date: "2026-12-01", starts: ["2026-12-01T18:00:00Z", "2026-12-02T00:00:00Z"] },
    { date: "2026-12-03", starts: ["2026-12-03T18:00:00Z"] },
  ]);
});

it("opens a day with times in the week of a day, else the next one, else the first one of its month", () => {
  const days = ["2026-12-01", "2026-12-15", "2027-01-01"].map((date) => ({ date, starts: [] }));
  expect(firstDayFrom(days, "2026-12-02", "2026-12-02")?.date).toBe("2026-12-01");
  expect(firstDayFrom(days, "2026-12-07", "2026-12-07")?.date).toBe("2026-12-15");
  expect(firstDayFrom(days.slice(0, 2), "2026-12-20", "2026-12-20")?.date).toBe("2026-12-01");
  expect(firstDayFrom(days.slice(0, 2), "2027-01-01", "2027-01-01")).toBeUndefined();
});

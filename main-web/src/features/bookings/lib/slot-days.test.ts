import { expect, it } from "vitest";
import { daysOfSlots } from "./slot-days";

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

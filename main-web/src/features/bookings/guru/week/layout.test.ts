import { describe, expect, it } from "vitest";
import { axisMinutes, clipTimes, dayAxis, hourRange, placeEvents, snapStart, withoutTimes, type Span } from "./layout";

const ZONE = "America/Denver";
const ALL = { first: 0, last: 24 };
// The clocks of Denver change on 2027-03-14 and 2027-11-07; Lord Howe's by half an hour, Havana's and Beirut's at midnight.
const DAYS: [string, string, number][] = [
  ["2027-06-01", ZONE, 24],
  ["2027-03-14", ZONE, 23],
  ["2027-11-07", ZONE, 25],
  ["2027-04-04", "Australia/Lord_Howe", 24.5],
  ["2027-10-03", "Australia/Lord_Howe", 23.5],
  ["2028-03-12", "America/Havana", 23],
  ["2027-11-07", "America/Havana", 25],
  ["2027-03-28", "Asia/Beirut", 23],
  ["2027-06-01", "Asia/Kathmandu", 24],
];

/** The numbers of a linear congruential generator from 0 to 1: the same ones in each run. */
function numbers(seed: number) {
  let state = seed;
  return () => {
    state = (1_664_525 * state + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Times that begin in the twelve hours before a day or on it. */
function someTimes(seed: number, axis: Span, count: number): Span[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => {
    const from = axis.from + Math.round((next() * 36 - 12) * 12) * 300_000;
    return { from, until: from + (1 + Math.round(next() * 40)) * 300_000 };
  });
}

describe("the axis of a day", () => {
  it.each(DAYS)("has the hours of %s in %s: %d", (day, zone, hours) => {
    const axis = dayAxis(day, zone, ALL);
    expect(axisMinutes(axis)).toBe(hours * 60);
    expect(axis.hasChange).toBe(hours !== 24);
    expect(axis.until).toBe(dayAxis(nextDay(day), zone, ALL).from);
  });

  it("skips and repeats the hour of a change", () => {
    const names = (day: string) => dayAxis(day, ZONE, { first: 0, last: 5 }).hours.map(({ hour }) => hour);
    expect(names("2027-03-14")).toEqual([0, 1, 3, 4]);
    expect(names("2027-11-07")).toEqual([0, 1, 1, 2, 3, 4]);
    expect(dayAxis("2027-03-14", ZONE, { first: 2, last: 5 }).hours.map(({ hour }) => hour)).toEqual([3, 4]);
  });

  it("begins with its first hour after a change", () => {
    const axis = dayAxis("2027-03-14", ZONE, { first: 7, last: 19 });
    expect(new Date(axis.from).toISOString()).toBe("2027-03-14T13:00:00.000Z");
    expect([axisMinutes(axis), axis.hasChange]).toEqual([720, false]);
  });
});

describe("the places of a day's events", () => {
  const cases = DAYS.flatMap(([day, zone]) => [1, 2, 3, 5, 8].map((seed) => ({ day, zone, seed })));

  it.each(cases)("are inside, proportional and apart: $day in $zone, $seed", ({ day, zone, seed }) => {
    const axis = dayAxis(day, zone, ALL);
    const events = someTimes(seed * 7919, axis, 12 * seed);
    const placed = placeEvents(events, axis);
    expect(placed.map(({ event }) => event)).toHaveLength(
      events.filter(({ from, until }) => from < axis.until && until > axis.from).length,
    );
    for (const { event, top, height, lane, lanes } of placed) {
      const [shown] = clipTimes([event], axis);
      expect(height).toBe(shown && axisMinutes(shown));
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top + height).toBeLessThanOrEqual(axisMinutes(axis));
      expect(lane).toBeGreaterThanOrEqual(0);
      expect(lane).toBeLessThan(lanes);
    }
    for (const one of placed) {
      for (const other of placed) {
        if (one === other) continue;
        const isApart = one.top + one.height <= other.top || other.top + other.height <= one.top;
        if (isApart) continue;
        expect(one.lanes).toBe(other.lanes);
        expect(one.lane).not.toBe(other.lane);
      }
    }
  });

  it("fill the width without others", () => {
    const axis = dayAxis("2027-06-01", ZONE, ALL);
    const [from, hour] = [axis.from, 3_600_000];
    const times = [0, 1, 1, 4].map((start) => ({ from: from + start * hour, until: from + (start + 1) * hour }));
    expect(placeEvents(times, axis).map(({ lane, lanes }) => [lane, lanes])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [0, 1],
    ]);
  });
});

describe("the hours that are shown", () => {
  const time = (from: string, until: string) => ({ from: Date.parse(from), until: Date.parse(until) });

  it.each([
    ["nothing", [], [7, 19]],
    ["a day's hours", [time("2027-06-01T15:00Z", "2027-06-01T23:00Z")], [8, 18]],
    ["a part of an hour", [time("2027-06-01T15:30Z", "2027-06-02T02:15Z")], [8, 22]],
    ["a short time", [time("2027-06-01T15:00Z", "2027-06-01T16:00Z")], [8, 16]],
    ["a late time", [time("2027-06-02T03:00Z", "2027-06-02T05:00Z")], [16, 24]],
    ["a time until midnight", [time("2027-06-02T03:00Z", "2027-06-02T06:00Z")], [16, 24]],
    ["a time over midnight", [time("2027-06-02T03:00Z", "2027-06-02T07:00Z")], [0, 24]],
  ])("fit %s", (_, times, range) => {
    const { first, last } = hourRange(times, ZONE);
    expect([first, last]).toEqual(range);
  });
});

it("takes times away from others", () => {
  const [hours, taken] = [
    [{ from: 0, until: 10 }],
    [
      { from: 8, until: 12 },
      { from: 2, until: 4 },
      { from: 3, until: 5 },
    ],
  ];
  expect(withoutTimes(hours, taken)).toEqual([
    { from: 0, until: 2 },
    { from: 5, until: 8 },
  ]);
  expect(withoutTimes(hours, [{ from: 0, until: 10 }])).toEqual([]);
  expect(withoutTimes(hours, [])).toEqual(hours);
});

it("snaps to a start that is near, or else to a quarter of an hour", () => {
  const minute = 60_000;
  expect(snapStart(62 * minute, [40 * minute, 80 * minute])).toBe(80 * minute);
  expect(snapStart(62 * minute, [])).toBe(60 * minute);
  expect(snapStart(68 * minute, [120 * minute])).toBe(75 * minute);
});

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

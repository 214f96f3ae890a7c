import { describe, expect, it } from "vitest";
import { isRepeat, NO_REPEAT, planSeries, repeatedDays, type Repeat } from "./series-plan";

const DENVER = "America/Denver";
const slots = (...starts: string[]) => starts.map((startsAt) => ({ startsAt, seats: 1 }));
const repeat = (changes: Partial<Repeat>): Repeat => ({ ...NO_REPEAT, weeks: 1, ...changes });
const times = (...starts: string[]) => ({ lastDay: "2027-12-31", starts: slots(...starts) });

// 9:00 AM in Denver, the last time before the clocks go forward on March 14, 2027.
const SPRING = { startsAt: "2027-03-09T16:00:00Z", zone: DENVER, party: 1 };
// 1:30 AM, the first time of an hour that comes twice a week later.
const AUTUMN = { startsAt: "2027-10-31T07:30:00Z", zone: DENVER, party: 1 };

describe("the days of a series", () => {
  it("are weekly or every two weeks, also across a change of the clock", () => {
    expect(repeatedDays(SPRING, repeat({ sessions: 3 }))).toEqual(["2027-03-16", "2027-03-23"]);
    expect(repeatedDays(AUTUMN, repeat({ weeks: 2, sessions: 3 }))).toEqual(["2027-11-14", "2027-11-28"]);
    expect(repeatedDays(SPRING, NO_REPEAT)).toEqual([]);
  });

  it("are the guru's days where it is the next day in UTC", () => {
    const evening = { startsAt: "2027-03-10T02:00:00Z", zone: DENVER };
    expect(repeatedDays(evening, repeat({ sessions: 2 }))).toEqual(["2027-03-16"]);
  });
});

describe("the plan of a series", () => {
  it("keeps the guru's wall time when the clocks go forward", () => {
    const free = times("2027-03-16T15:00:00Z", "2027-03-16T16:00:00Z", "2027-03-23T15:00:00Z");
    expect(planSeries(SPRING, repeat({ sessions: 3 }), free).map(({ start }) => start)).toEqual([
      "2027-03-16T15:00:00Z",
      "2027-03-23T15:00:00Z",
    ]);
  });

  it("takes the first of two equal times when the clocks go back", () => {
    const free = times("2027-11-07T07:30:00Z", "2027-11-07T08:30:00Z", "2027-11-14T08:30:00Z");
    expect(planSeries(AUTUMN, repeat({ sessions: 3 }), free).map(({ start }) => start)).toEqual([
      "2027-11-07T07:30:00Z",
      "2027-11-14T08:30:00Z",
    ]);
  });

  it("leaves out a taken time and offers others of that day", () => {
    const [session] = planSeries(SPRING, repeat({ sessions: 2 }), times("2027-03-16T17:00:00Z"));
    expect(session).toEqual({ day: "2027-03-16", state: "taken", starts: ["2027-03-16T17:00:00Z"], start: "" });
  });

  it("follows the choices while they are free", () => {
    const free = times("2027-03-16T15:00:00Z", "2027-03-16T17:00:00Z", "2027-03-23T15:00:00Z");
    const choices = { "2027-03-16": "2027-03-16T17:00:00Z", "2027-03-23": "" };
    const plan = (gone: string[]) =>
      planSeries(SPRING, repeat({ sessions: 3, choices }), free, { gone: new Set(gone) }).map(({ start }) => start);
    expect(plan([])).toEqual(["2027-03-16T17:00:00Z", ""]);
    expect(plan(["2027-03-16T17:00:00Z"])).toEqual(["", ""]);
  });

  it("says why a day has no time", () => {
    const free = { lastDay: "2027-03-29", starts: slots("2027-03-16T15:00:00Z", "2027-03-23T15:00:00Z") };
    const plan = planSeries(SPRING, repeat({ sessions: 5 }), free, { waiverEnd: Date.parse("2027-03-20T00:00:00Z") });
    expect(plan.map(({ state }) => state)).toEqual(["free", "waiver", "later", "later"]);
  });

  it("needs a spot for each person", () => {
    expect(planSeries({ ...SPRING, party: 2 }, repeat({ sessions: 2 }), times("2027-03-16T15:00:00Z"))).toMatchObject([
      { state: "taken", starts: [] },
    ]);
  });
});

it("recognizes stored repeats", () => {
  expect(isRepeat(repeat({ choices: { "2027-03-16": "" } }))).toBe(true);
  for (const bad of [
    null,
    {},
    { ...NO_REPEAT, weeks: 3 },
    { ...NO_REPEAT, sessions: 13 },
    { ...NO_REPEAT, choices: 1 },
  ])
    expect(isRepeat(bad)).toBe(false);
});

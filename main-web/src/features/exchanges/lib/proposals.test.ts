import { describe, expect, it } from "vitest";
import { checkTimes } from "./proposals";

const ZONE = "America/Denver";
const NOW = Date.parse("2027-01-13T16:00:00Z");

describe("typed times", () => {
  it("become instants in order, without empty rows", () => {
    const rows = [
      { day: "2027-01-16", time: "18:00" },
      { day: "", time: "" },
      { day: "2027-01-15", time: "09:30" },
    ];
    expect(checkTimes(rows, ZONE, NOW)).toEqual({ starts: ["2027-01-15T16:30:00.000Z", "2027-01-17T01:00:00.000Z"] });
  });

  it.each([
    [{ day: "2027-01-13", time: "11:59" }, "Choose a time at least 3 hours from now."],
    [{ day: "2027-04-13", time: "18:00" }, "Choose a time within the next 90 days."],
    [{ day: "2027-03-14", time: "02:30" }, "Clocks change that day, so this time doesn't exist. Choose another."],
    [{ day: "", time: "18:00" }, "Enter a day and a time."],
  ])("at %o are refused", (row, problem) => {
    expect(checkTimes([row], ZONE, NOW)).toEqual({ problems: { 0: problem } });
  });

  it("are refused twice the same", () => {
    const row = { day: "2027-01-16", time: "18:00" };
    expect(checkTimes([row, row], ZONE, NOW)).toEqual({ problems: { 1: "Choose a different time for each." } });
  });
});

import { expect, it } from "vitest";
import { formatProposedHours } from "./proposed-hours";

const HOURS = { zone: "America/Denver", weekdays: [0, 1, 2, 3, 4], start: 540, end: 1020 };

it.each([
  [HOURS, "on weekdays from 9 AM to 5 PM (Mountain Time)"],
  [{ ...HOURS, zone: "America/New_York", end: 1050 }, "on weekdays from 9 AM to 5:30 PM (Eastern Time)"],
  [{ ...HOURS, weekdays: [0, 2, 5] }, "on Mondays, Wednesdays, and Saturdays from 9 AM to 5 PM (Mountain Time)"],
])("formats %j as %s", (hours, text) => expect(formatProposedHours(hours)).toBe(text));

import { expect, it } from "vitest";
import { coveredStarts, leftText } from "./package-texts";

const PACKAGE = { left: 3, expiresAt: "2027-03-02T07:00:00Z" };
const STARTS = ["2027-03-01T16:00:00Z", "2027-02-20T16:00:00Z", "2027-03-03T16:00:00Z"];

it("covers the earliest sessions before the package ends", () => {
  expect(coveredStarts(PACKAGE, STARTS, 1)).toEqual([STARTS[1], STARTS[0]]);
  expect(coveredStarts(PACKAGE, STARTS, 2)).toEqual([STARTS[1]]);
  expect(coveredStarts({ ...PACKAGE, left: 1 }, STARTS, 2)).toEqual([]);
});

it("says what is left and until when", () => {
  expect(leftText({ left: 3, granted: 5, lastDay: "2027-03-01" })).toBe("3 of 5 sessions left, until Mar 1, 2027");
});

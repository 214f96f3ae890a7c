import { expect, it } from "vitest";
import { distanceLabel, weekdaysLabel } from "./labels";

it.each([
  [[1, 2, 3, 4, 5, 6, 7], "Every day"],
  [[1, 2, 3, 4, 5], "Weekdays"],
  [[6, 7], "Weekends"],
  [[1, 3], "Mon, Wed"],
])("labels weekdays %j as %s", (days, label) => expect(weekdaysLabel(days)).toBe(label));

it("labels distances coarsely", () => {
  expect([1, 2, 3].map(distanceLabel)).toEqual(["within 2 miles", "within 2 miles", "about 3 miles"]);
});

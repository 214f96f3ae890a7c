import { describe, expect, it } from "vitest";
import { formatRanges, nextRange, parseRanges, rangesError, typedRanges } from "./ranges";

describe("hours", () => {
  it.each([
    [[], ""],
    [[{ start: "09:00", end: "17:00" }], ""],
    [[{ start: "22:00", end: "00:00" }], ""],
    [[{ start: "00:00", end: "00:00" }], ""],
    [[{ start: "09:00", end: "" }], "Enter a start and an end."],
    [[{ start: "17:00", end: "09:00" }], "The end must be after the start."],
    [[{ start: "09:00", end: "09:00" }], "The end must be after the start."],
    [
      [
        { start: "13:00", end: "17:00" },
        { start: "09:00", end: "13:30" },
      ],
      "These hours overlap.",
    ],
    [
      [
        { start: "13:00", end: "17:00" },
        { start: "09:00", end: "13:00" },
      ],
      "",
    ],
  ])("%j: %j", (ranges, error) => expect(rangesError(ranges)).toBe(error));

  it("are sent in order and in minutes, with midnight as the end of the day", () => {
    const typed = [
      { start: "22:00", end: "00:00" },
      { start: "09:15", end: "12:00" },
    ];
    const minutes = [
      { start: 555, end: 720 },
      { start: 1320, end: 1440 },
    ];
    expect(parseRanges(typed)).toEqual(minutes);
    expect(typedRanges(minutes)).toEqual([typed[1], typed[0]]);
  });

  it("are added an hour after the last ones, within the day", () => {
    expect(nextRange([])).toEqual({ start: "09:00", end: "17:00" });
    expect(nextRange([{ start: "09:00", end: "12:00" }])).toEqual({ start: "13:00", end: "15:00" });
    expect(nextRange([{ start: "20:00", end: "22:30" }])).toEqual({ start: "23:00", end: "00:00" });
  });

  it("are shown with AM and PM", () => {
    expect(
      formatRanges([
        { start: 540, end: 720 },
        { start: 780, end: 1440 },
      ]),
    ).toBe("9:00 AM – 12:00 PM, 1:00 PM – 12:00 AM");
    expect(formatRanges([])).toBe("Closed");
  });
});

import { expect, it } from "vitest";
import { formatAnswerTime } from "./answer-time";

it.each([
  [1, "an hour"],
  [60, "an hour"],
  [61, "2 hours"],
  [720, "12 hours"],
  [721, "a day"],
  [1440, "a day"],
  [1441, "2 days"],
])("formats %i minutes as within %s", (minutes, text) =>
  expect(formatAnswerTime(minutes)).toBe(`Usually answers within ${text}`),
);

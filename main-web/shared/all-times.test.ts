import { expect, it } from "vitest";
import { getAllTimes } from "./all-times";

const FIRST = Date.parse("2027-01-01");
const day = (number: number) => new Date(FIRST + number * 86_400_000).toISOString().slice(0, 10);

/** An API with a start a day whose answers reach `most` days, until day `last`. */
function server(most: number, last: number) {
  const asked: [string, number][] = [];
  const get = async (from: string, days: number) => {
    asked.push([from, days]);
    const firstDay = from || day(0);
    const first = (Date.parse(firstDay) - FIRST) / 86_400_000;
    const offered = Math.min(days, last - first + 1);
    const reached = offered > most ? most : days;
    const found = Array.from({ length: Math.min(reached, offered) }, (_, number) => day(first + number));
    return Promise.resolve({
      firstDay,
      days: reached,
      lastDay: day(last),
      starts: found.map((startsAt) => ({ startsAt })),
      full: [firstDay],
    });
  };
  return { asked, get };
}

it.each([
  ["one answer", 62, 100, [["", 62]], 62],
  [
    "three answers",
    25,
    100,
    [
      ["", 62],
      [day(25), 37],
      [day(50), 12],
    ],
    62,
  ],
  [
    "until the last day offered",
    25,
    29,
    [
      ["", 62],
      [day(25), 37],
    ],
    30,
  ],
  ["to the last day exactly", 25, 24, [["", 62]], 25],
])("asks until all days are there: %s", async (_, most, last, asked, count) => {
  const api = server(most, last);
  const times = await getAllTimes(api.get, "", 62);
  expect(api.asked).toEqual(asked);
  expect(times.starts.map(({ startsAt }) => startsAt)).toEqual(
    Array.from({ length: count }, (__, number) => day(number)),
  );
});

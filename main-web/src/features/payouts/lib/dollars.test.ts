import { expect, it } from "vitest";
import { parseDollars } from "./dollars";

it.each([
  ["25", 2500],
  ["25.5", 2550],
  ["182.40", 18_240],
  [".5", 50],
  ["3.", 300],
  [" 12.34 ", 1234],
  ["0", 0],
  // Half up, although 1.005 * 100 is 100.49999999999999 as a float.
  ["1.005", 101],
  ["1.0049", 100],
  ["0.995", 100],
  ["8.165", 817],
  ["999999999.99", 99_999_999_999],
  ["", null],
  [".", null],
  ["-5", null],
  ["1e3", null],
  ["1,000", null],
  ["ten", null],
  ["12345678901", null],
])("parses %j as %s cents", (text, cents) => expect(parseDollars(text)).toBe(cents));

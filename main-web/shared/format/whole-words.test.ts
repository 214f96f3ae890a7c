import { expect, it } from "vitest";
import { wholeWords } from "./whole-words";

it.each([
  ["First Mug", ["First Mug"]],
  ["Book One-on-One Consultation", ["Book ", "One-on-One", " Consultation"]],
  ["“Zoë-Käthe,” 4-week plan", ["", "“Zoë-Käthe,”", " ", "4-week", " plan"]],
  ["Mon - Fri, -5 and A -B", ["Mon - Fri, -5 and A -B"]],
  ["", [""]],
])("whole words of %j", (title, parts) => {
  expect(wholeWords(title)).toEqual(parts);
  expect(wholeWords(title).join("")).toBe(title);
});

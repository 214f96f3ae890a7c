import { expect, it } from "vitest";
import { partyOf, waiverEnd } from "./party";
import type { Hold } from "./types";

const DAY = (day: number) => `2099-01-${String(day).padStart(2, "0")}T00:00:00Z`;
const WAIVER = {
  required: true,
  validUntil: DAY(3),
  minors: [{ name: "Zoë Park", validUntil: DAY(9) }],
} as Hold["waiver"];
const NOW = Date.parse(DAY(20));
const child = (name: string) => ({ name, signer: "guardian" as const, email: "" });
const SELF = { name: null, signer: "self" as const, email: "" };
const FRIEND = { name: "Bo", signer: "link" as const, email: "" };

it.each([
  ["the earliest waiver when both take part", [SELF, child("Zoe park")], Date.parse(DAY(3))],
  ["the child's waiver when only children take part", [child("Zoe Park")], Date.parse(DAY(9))],
  ["one that is signed now for another child", [child("Max")], NOW],
  ["none when everyone signs with a link", [FRIEND], Infinity],
])("limits a series by %s", (_, people, end) => {
  expect(waiverEnd(partyOf(people, "Ada", WAIVER), WAIVER, NOW)).toBe(end);
});

import { expect, it } from "vitest";
import {
  contentText,
  coveredStarts,
  isShown,
  leftText,
  paidPackageText,
  perSessionText,
  type OwnPackage,
} from "./package-texts";

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

it("says what a package consists of and what a session of it costs", () => {
  expect(contentText({ sessions: 5, serviceName: "Guitar Lesson" })).toBe("5 sessions of Guitar Lesson");
  expect(perSessionText({ priceCents: 20_000, sessions: 5 })).toBe("$40.00 per session");
  expect(perSessionText({ priceCents: 10_000, sessions: 3 })).toBe("about $33.33 per session");
});

it("says what was paid and what went back", () => {
  expect(paidPackageText({ paidCents: 0, refundedCents: 0 })).toBe("");
  expect(paidPackageText({ paidCents: 20_000, refundedCents: 0 })).toBe("Paid $200.00");
  expect(paidPackageText({ paidCents: 20_000, refundedCents: 5000 })).toBe("Paid $200.00, $50.00 returned");
});

it.each([
  ["can be used", { isOpen: true }, true],
  ["waits for the bank", { disputed: true }, true],
  ["waits for the bank and is used up", { disputed: true, left: 0 }, false],
  ["waits for the bank and is over", { disputed: true, lastDay: "2020-01-01" }, false],
  ["is used up", { left: 0 }, false],
])("a package that %s", (_, changes, shown) => {
  const own = { isOpen: false, disputed: false, left: 3, lastDay: "2099-12-31" } as OwnPackage;
  expect(isShown({ ...own, ...changes })).toBe(shown);
});

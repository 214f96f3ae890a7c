import { expect, it, vi } from "vitest";

/** Load the module as a new page does. */
async function loadPage() {
  vi.resetModules();
  return import("./booking-draft");
}

it("keeps the key of a booking over an error and a reload", async () => {
  const before = await loadPage();
  const key = before.keyOfAttempt("First Mug, Tue 11:00");
  expect(before.keyOfAttempt("First Mug, Tue 11:00")).toBe(key);
  const after = await loadPage();
  expect(after.keyOfAttempt("First Mug, Tue 11:00")).toBe(key);
  expect(after.keyOfAttempt("First Mug, Tue 12:00")).not.toBe(key);
});

import { beforeEach, expect, it } from "vitest";
import { forgetHeldBooking, heldBooking, rememberHeldBooking } from "./held-booking";

beforeEach(() => localStorage.clear());

it("is known until it ends or is forgotten", () => {
  rememberHeldBooking("h-1", 2000);
  expect(heldBooking(1999)).toBe("h-1");
  expect(heldBooking(2000)).toBeNull();
  forgetHeldBooking();
  expect(heldBooking(1999)).toBeNull();
});

it.each(["", "{", "null", "[]", '{"token":1,"until":9}', '{"token":"h-1"}'])("is none for a stored %j", (stored) => {
  localStorage.setItem("porchlight.held-booking", stored);
  expect(heldBooking(0)).toBeNull();
});

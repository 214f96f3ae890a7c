import { describe, expect, it } from "vitest";
import { milesToKm, RADIUS_MILES, radiusMiles } from "./distance";

describe("a distance of a listing", () => {
  it.each([
    [25, 15],
    [24, 15],
    [1, 2],
    [40, 25],
    [200, 100],
  ])("of %i km is one of the choices in whole miles", (km, miles) => expect(radiusMiles(km)).toBe(miles));

  it("stays the same choice when it is saved", () => {
    for (const miles of RADIUS_MILES) expect(radiusMiles(milesToKm(miles))).toBe(miles);
  });
});

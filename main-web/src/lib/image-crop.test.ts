import { describe, expect, it } from "vitest";
import { CENTERED, squareOf } from "./image-crop";

describe("squareOf", () => {
  it.each([
    [400, 300, CENTERED, { left: 50, top: 0, side: 300 }],
    [300, 400, { zoom: 1, x: 0, y: 1 }, { left: 0, top: 100, side: 300 }],
    [300, 300, { zoom: 3, x: 1, y: 0 }, { left: 200, top: 0, side: 100 }],
  ])("crops %i by %i with %j to %j", (width, height, crop, square) => {
    expect(squareOf(width, height, crop)).toEqual(square);
  });
});

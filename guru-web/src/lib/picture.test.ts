import { expect, test } from "vitest";

import { focusClasses, previewUrl } from "./picture";

test("preview is a bitmap of 4 by 3 pixels from the bottom row", () => {
  const [type, data = ""] = previewUrl("f00" + "123".repeat(10) + "00f").split(",");
  expect(type).toBe("data:image/bmp");
  const codes = Array.from(data.matchAll(/%(..)|./g), ([text, code]) =>
    code === undefined ? text.charCodeAt(0) : parseInt(code, 16),
  );
  const bytes = Buffer.from(codes);
  expect(bytes.toString("latin1", 0, 2)).toBe("BM");
  // The whole size, the offset of the pixels, the size in pixels, and the bits of a pixel.
  expect([bytes.readUInt32LE(2), bytes.readUInt32LE(10)]).toEqual([62, 26]);
  expect([18, 20, 24].map((offset) => bytes.readUInt16LE(offset))).toEqual([4, 3, 24]);
  expect(bytes).toHaveLength(62);
  // Blue, green and red. The first color is the left one of the top row, the last the right one of the bottom row.
  const pixel = (column: number, row: number) => [
    ...bytes.subarray(26 + 12 * row + 3 * column, 29 + 12 * row + 3 * column),
  ];
  expect([pixel(3, 0), pixel(0, 2), pixel(0, 0)]).toEqual([
    [0xff, 0, 0],
    [0, 0, 0xff],
    [0x33, 0x22, 0x11],
  ]);
});

test.each([
  [50, 50, "fx-5 fy-5"],
  [0, 100, "fx-0 fy-10"],
  [46, 54, "fx-5 fy-5"],
  [30, 78, "fx-3 fy-8"],
])("focus at %i, %i gives the classes %j", (focusX, focusY, classes) => {
  expect(focusClasses({ focusX, focusY })).toBe(classes);
});

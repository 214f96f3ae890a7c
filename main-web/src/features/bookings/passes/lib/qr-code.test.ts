import { decodeQR } from "qr/decode.js";
import { expect, it } from "vitest";
import { SIGNED } from "./fixtures";
import { qrCode } from "./qr-code";

const SCALE = 4;

/** Draw a code as a picture of a camera. */
function drawn(text: string) {
  const { viewBox, path } = qrCode(text);
  const side = Number(viewBox.split(" ")[2]) * SCALE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < SCALE; dy += 1) {
      const start = (Number(y) * SCALE + dy) * side + Number(x) * SCALE;
      for (let dx = 0; dx < SCALE; dx += 1) data.fill(0, (start + dx) * 4, (start + dx) * 4 + 3);
    }
  }
  return { width: side, height: side, data };
}

it("is read by the decoder as it was drawn", () => {
  for (const text of [SIGNED.text, SIGNED.text.toLowerCase(), "A".repeat(140)]) {
    expect(decodeQR(drawn(text))).toBe(text);
  }
});

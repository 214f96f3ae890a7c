import { describe, expect, it } from "vitest";
import { SIGNED } from "./fixtures";
import { formatCode, isCode, normalCode, readPass } from "./signed-pass";

describe("a pass", () => {
  it("is read as the server signed it", async () => {
    expect(await readPass(SIGNED.text, [SIGNED.key])).toEqual({
      text: SIGNED.text,
      bookingId: SIGNED.bookingId,
      tenantId: SIGNED.tenantId,
      startsAt: SIGNED.startsAt,
      sequence: 3,
      code: SIGNED.code,
      isSigned: true,
    });
  });

  it("is found to be forged when a byte of it is changed", async () => {
    for (const position of [2, 30, 45, 56, 58, 139]) {
      const other = SIGNED.text.charAt(position) === "A" ? "B" : "A";
      const text = SIGNED.text.slice(0, position) + other + SIGNED.text.slice(position + 1);
      const read = await readPass(text, [SIGNED.key]);
      expect(read === null || read.isSigned === false).toBe(true);
      expect(read?.code).not.toBe(SIGNED.code);
    }
  });

  it("is not signed by another key", async () => {
    expect((await readPass(SIGNED.text, ["A".repeat(43)]))?.isSigned).not.toBe(true);
    expect((await readPass(SIGNED.text, []))?.isSigned).toBe(false);
  });

  it.each(["", "https://example.com/", "A".repeat(140), SIGNED.text.slice(1), `${SIGNED.text}A`, "é".repeat(140)])(
    "is not made of %j",
    async (text) => {
      const read = await readPass(text, [SIGNED.key]);
      expect(read === null || read.isSigned === false).toBe(true);
    },
  );
});

describe("a code", () => {
  it("is read as people type it", () => {
    expect(normalCode(" kx4p-7m2q ")).toBe("KX4P7M2Q");
    expect(normalCode("oil0")).toBe("0110");
    expect(isCode("KX4P7M2Q")).toBe(true);
    expect([isCode("KX4P7M2"), isCode("KX4P7M2U"), isCode("")]).toEqual([false, false, false]);
    expect(formatCode("KX4P7M2Q")).toBe("KX4P 7M2Q");
  });
});

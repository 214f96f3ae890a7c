import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { sha256FirstWord, solveProofOfWork } from "./proof-of-work";

const sha256 = (text: string) => createHash("sha256").update(text).digest();

describe("sha256FirstWord", () => {
  it.each([0, 1, 3, 4, 31, 47, 54, 55])("is that of SHA-256 for %i characters", (length) => {
    for (const letter of ["a", "~", "0"]) {
      const text = letter.repeat(length);
      expect(sha256FirstWord(text)).toBe(sha256(text).readUInt32BE());
    }
  });

  it("rejects a text of more than one block", () => {
    expect(() => sha256FirstWord("a".repeat(56))).toThrow(RangeError);
  });
});

describe("solveProofOfWork", () => {
  it.each([1, 8, 14])("finds an answer with %i zero bits", async (bits) => {
    const challenge = `${bits}.1764111111.${"5e".repeat(16)}`;
    const proof = await solveProofOfWork(challenge);
    expect(proof.startsWith(`${challenge}:`)).toBe(true);
    expect(sha256(proof).readUInt32BE() >>> (32 - bits)).toBe(0);
  });

  it("lets other tasks run between slices", async () => {
    const slices = vi.spyOn(performance, "now").mockImplementation(() => slices.mock.calls.length * 1000);
    const timer = vi.spyOn(globalThis, "setTimeout");
    await solveProofOfWork(`14.1764111111.${"ab".repeat(16)}`);
    expect(timer).toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

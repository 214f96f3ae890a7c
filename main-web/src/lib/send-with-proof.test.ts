import { expect, test, vi } from "vitest";
import { sendWithProof } from "./send-with-proof";
import { ApiError } from "@porchlight/shared/client";
import { PROOF_HEADER } from "@porchlight/shared/proof-of-work";

const CHALLENGE = `4.1764111111.${"5e".repeat(16)}`;

function refused(challenge: string): ApiError {
  return new ApiError("Busy", 429, "proof_required", {}, 1, null, "Busy", challenge);
}

test("a request without a challenge is sent once", async () => {
  const send = vi.fn().mockResolvedValue("sent");
  const onCheck = vi.fn();
  expect(await sendWithProof(send, onCheck)).toBe("sent");
  expect(send.mock.calls).toEqual([[{}]]);
  expect(onCheck).not.toHaveBeenCalled();
});

test("a challenge is solved and sent once more", async () => {
  const send = vi.fn().mockRejectedValueOnce(refused(CHALLENGE)).mockResolvedValueOnce("sent");
  const onCheck = vi.fn();
  expect(await sendWithProof(send, onCheck)).toBe("sent");
  const [, second] = send.mock.calls as [unknown, [Record<string, string>]];
  expect(second[0][PROOF_HEADER]).toMatch(new RegExp(`^${CHALLENGE}:\\d+$`));
  expect(onCheck).toHaveBeenCalledOnce();
});

test("another refusal, and one of the proof, reach the caller", async () => {
  const limited = vi.fn().mockRejectedValue(refused(""));
  await expect(sendWithProof(limited, vi.fn())).rejects.toThrow("Busy");
  expect(limited).toHaveBeenCalledOnce();
  const again = vi.fn().mockRejectedValue(refused(CHALLENGE));
  await expect(sendWithProof(again, vi.fn())).rejects.toThrow("Busy");
  expect(again).toHaveBeenCalledTimes(2);
});

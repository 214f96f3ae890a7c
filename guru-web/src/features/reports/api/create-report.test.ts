import { PROOF_HEADER } from "@porchlight/shared/proof-of-work";
import { afterEach, expect, test, vi } from "vitest";

import { createReport, type Report } from "./create-report";

const report: Report = { kind: "post", name: "ana/soup", reason: "scam", details: "", website: "" };
const CHALLENGE = `4.1764111111.${"5e".repeat(16)}`;
const CHALLENGED = { success: false, error: { code: "proof_required", message: "Busy", challenge: CHALLENGE } };

/** Answer the requests in this order, and return the headers of each request. */
function answer(...responses: [status: number, body: object][]): Headers[] {
  const sent: Headers[] = [];
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers));
    const next = responses.shift();
    if (next === undefined) return Promise.reject(new TypeError("offline"));
    return Promise.resolve(Response.json(next[1], { status: next[0] }));
  });
  return sent;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a report without a flood is sent at once", async () => {
  const sent = answer([201, { success: true, message: "Thanks" }]);
  const onCheck = vi.fn();
  expect(await createReport(report, "key", onCheck)).toEqual({ isSent: true });
  expect(onCheck).not.toHaveBeenCalled();
  expect(sent.map((headers) => headers.get(PROOF_HEADER))).toEqual([null]);
});

test("a challenge is solved and sent with the same key", async () => {
  const sent = answer([429, CHALLENGED], [201, { success: true }]);
  const onCheck = vi.fn();
  expect(await createReport(report, "key", onCheck)).toEqual({ isSent: true });
  expect(onCheck).toHaveBeenCalledOnce();
  expect(sent.map((headers) => headers.get("idempotency-key"))).toEqual(["key", "key"]);
  expect(sent[1]?.get(PROOF_HEADER)).toMatch(new RegExp(`^${CHALLENGE}:\\d+$`));
});

test("a refusal names its reason, and no answer the connection", async () => {
  const fields = { details: "Please tell us what's wrong." };
  answer([422, { success: false, error: { message: "Please check the highlighted fields.", fields } }]);
  const refused = await createReport(report, "key", vi.fn());
  expect(refused).toEqual({ isSent: false, message: "Please check the highlighted fields.", errors: fields });
  const failed = await createReport(report, "key", vi.fn());
  expect(failed).toEqual({
    isSent: false,
    message: "Your report could not be sent. Please check your connection.",
    errors: {},
  });
});

import { PROOF_HEADER } from "@porchlight/shared/proof-of-work";
import { mapLeadDetails } from "@porchlight/shared/lead-details";
import { afterEach, expect, test, vi } from "vitest";

import type { Lead } from "../lib/lead";
import { createLead } from "./create-lead";

const lead: Lead = {
  name: "Ana",
  email: "ana@example.org",
  ...mapLeadDetails(() => ""),
  serviceId: "",
  message: "Hello",
  consent: true,
  website: "",
};
const CHALLENGE = `4.1764111111.${"5e".repeat(16)}`;
const CHALLENGED = { success: false, error: { code: "proof_required", message: "Busy", challenge: CHALLENGE } };

/** Answer the requests in this order, and return the headers of each request. */
function answer(...responses: [status: number, body: object][]): Headers[] {
  const sent: Headers[] = [];
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers));
    const [status, body] = responses.shift() ?? [500, {}];
    return Promise.resolve(Response.json(body, { status }));
  });
  return sent;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a lead without a flood is sent at once", async () => {
  const sent = answer([201, { success: true, message: "Thanks" }]);
  const onCheck = vi.fn();
  expect(await createLead("ana", lead, "key", "/contact", onCheck)).toEqual({ kind: "sent", message: "Thanks" });
  expect(onCheck).not.toHaveBeenCalled();
  expect(sent.map((headers) => headers.get(PROOF_HEADER))).toEqual([null]);
});

test("a challenge is solved and sent with the same key", async () => {
  const sent = answer([429, CHALLENGED], [201, { success: true, message: "Thanks" }]);
  const onCheck = vi.fn();
  expect(await createLead("ana", lead, "key", "/contact", onCheck)).toEqual({ kind: "sent", message: "Thanks" });
  expect(onCheck).toHaveBeenCalledOnce();
  expect(sent.map((headers) => headers.get("idempotency-key"))).toEqual(["key", "key"]);
  expect(sent[1]?.get(PROOF_HEADER)).toMatch(new RegExp(`^${CHALLENGE}:\\d+$`));
});

test.each([
  ["a rejected proof", [429, CHALLENGED] as [number, object]],
  ["a used share", [429, { success: false, error: { code: "rate_limited", message: "Busy" } }] as [number, object]],
])("%s is an error and no third request", async (_, response) => {
  const sent = answer([429, CHALLENGED], response);
  const result = await createLead("ana", lead, "key", "/contact", vi.fn());
  expect(result).toEqual({ kind: "failed", message: "Too many requests. Please wait a moment and try again." });
  expect(sent).toHaveLength(2);
});

test.each([
  [429, { kind: "failed", message: "Too many requests. Please wait a moment and try again." }],
  [403, { kind: "rejected", message: "Failed to submit lead", errors: {} }],
  [502, { kind: "failed", message: "Failed to submit lead" }],
])("an answer %i of something on the way gets our words", async (status, result) => {
  answer([status, { detail: "no" }]);
  expect(await createLead("ana", lead, "key", "/contact", vi.fn())).toEqual(result);
});

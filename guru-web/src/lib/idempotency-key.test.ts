import { expect, test } from "vitest";

import { createIdempotencyKey } from "./idempotency-key";

test("idempotency keys are random UUIDs", () => {
  const keys = Array.from({ length: 50 }, createIdempotencyKey);
  expect(new Set(keys).size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

import { expect, test } from "vitest";

import { fingerprint, type Lead, leadErrors, newKey } from "./lead";

const lead: Lead = {
  name: "Ana",
  email: "ana@example.org",
  phone: "",
  serviceId: "",
  message: "Hello",
  consent: true,
  website: "",
};

test("a whole lead has no errors", () => {
  expect(leadErrors(lead)).toEqual({});
});

test("what is required is said", () => {
  expect(leadErrors({ ...lead, name: " ", email: "", message: "\n", consent: false })).toEqual({
    name: "Name is required",
    email: "Email is required",
    message: "Message is required",
    consent: "Please agree, so that your message may be answered",
  });
});

test.each(["ana", "ana@", "@example.org", "ana@example", "ana b@example.org", "ana@example."])("%s is no address", (email) => {
  expect(leadErrors({ ...lead, email })).toEqual({ email: "Invalid email address" });
});

test("spaces around an address do not matter", () => {
  expect(leadErrors({ ...lead, email: " ana@example.org " })).toEqual({});
});

test("every field counts for the fingerprint", () => {
  const prints = [lead, { ...lead, phone: "1" }, { ...lead, consent: false }, { ...lead, message: "Hello " }].map(fingerprint);
  expect(new Set(prints).size).toBe(4);
  expect(fingerprint({ ...lead })).toBe(fingerprint(lead));
});

test("keys are random UUIDs", () => {
  const keys = Array.from({ length: 50 }, newKey);
  expect(new Set(keys).size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

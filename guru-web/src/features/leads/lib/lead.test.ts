import { leadDetailNames, mapLeadDetails } from "@porchlight/shared/lead-details";
import { describe, expect, test } from "vitest";

import { type Lead, leadErrors, leadFingerprint } from "./lead";

const lead: Lead = {
  name: "Ana",
  email: "ana@example.org",
  ...mapLeadDetails(() => ""),
  serviceId: "",
  message: "Hello",
  consent: true,
  website: "",
};

describe("leadErrors", () => {
  test("of a complete lead is empty", () => {
    expect(leadErrors(lead)).toEqual({});
  });

  test("names each missing required field", () => {
    expect(leadErrors({ ...lead, name: " ", email: "", message: "\n", consent: false })).toEqual({
      name: "Name is required",
      email: "Email is required",
      message: "Message is required",
      consent: "Please check the box so we can send your message.",
    });
  });

  test.each(["ana", "ana@", "@example.org", "ana@example", "ana b@example.org", "ana@example."])(
    "rejects the invalid email %s",
    (email) => {
      expect(leadErrors({ ...lead, email })).toEqual({ email: "Invalid email address" });
    },
  );

  test("says why email cannot reach an address", () => {
    expect(leadErrors({ ...lead, email: "zoë@example.org" })).toEqual({
      email: "We can't send email to an address with “ë” before the @. Please use another address.",
    });
  });

  test("ignores spaces around the email", () => {
    expect(leadErrors({ ...lead, email: " ana@example.org " })).toEqual({});
  });
});

test("leadFingerprint differs when any field differs", () => {
  const changed = [{ consent: false }, { message: "Hello " }, ...leadDetailNames.map((name) => ({ [name]: "1" }))].map(
    (change) => ({ ...lead, ...change }),
  );
  expect(new Set([lead, ...changed].map(leadFingerprint)).size).toBe(3 + leadDetailNames.length);
  expect(leadFingerprint({ ...lead })).toBe(leadFingerprint(lead));
});

import { expect, test } from "vitest";

import { guruSubdomain, mainOriginOf } from "./subdomain";

test.each([
  ["cooking.porchlight.localhost", "cooking"],
  ["COOKING.example.org.", "cooking"],
  ["www.example.org", null],
  ["api.example.org", null],
  ["admin.example.org", null],
  ["staging.example.org", null],
  ["dev.example.org", null],
  ["test.example.org", null],
  ["porchlight.localhost", null],
  ["localhost", null],
  ["127.0.0.1", null],
  ["[::1]", null],
  ["", null],
])("guruSubdomain(%j)", (host, expected) => {
  expect(guruSubdomain(host)).toBe(expected);
});

test("mainOriginOf drops the first label on a guru host", () => {
  const location = { protocol: "https:", host: "cooking.porchlight.localhost:8443" };
  expect(mainOriginOf(location, true)).toBe("https://porchlight.localhost:8443");
  expect(mainOriginOf(location, false)).toBe("https://cooking.porchlight.localhost:8443");
});

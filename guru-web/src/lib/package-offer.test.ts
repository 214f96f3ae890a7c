import { expect, it } from "vitest";

import { fallbackGuru } from "../fallback/default-content";
import { packageHref, packageValue } from "./package-offer";

const item = {
  id: "k1",
  serviceId: "s1",
  serviceName: "Knife Skills",
  name: "Four lessons",
  sessions: 4,
  days: 90,
  priceCents: 20_000,
};

it("leads to the main platform, which sells the package", () => {
  const site = { guru: fallbackGuru("cooking"), mainOrigin: "https://example.com" };
  expect(packageHref(site, item)).toBe("https://example.com/packages/buy/cooking/k1");
});

it.each([
  [20_000, 4, 75, "$50 per session. You save $100."],
  [19_999, 4, 50, "About $50 per session. You save $0.01."],
  [20_000, 4, 50, "$50 per session."],
  [20_000, 4, 40, "$50 per session."],
  [10_000, 3, 0, "About $33.33 per session."],
])("says what %i cents for %i sessions of $%i are worth", (priceCents, sessions, price, text) => {
  expect(packageValue({ ...item, priceCents, sessions }, { price })).toBe(text);
});

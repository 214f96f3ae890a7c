import { expect, it } from "vitest";

import { fallbackGuru } from "../fallback/default-content";
import { messagesUrl } from "./messages-url";

it("leads to a first message on the main platform", () => {
  const site = { guru: fallbackGuru("cooking"), mainOrigin: "https://example.com" };
  expect(messagesUrl(site)).toBe("https://example.com/messages/new?to=guru%3Acooking");
});

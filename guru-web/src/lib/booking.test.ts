import { expect, it } from "vitest";

import { defaultServices, fallbackGuru } from "../fallback/default-content";
import { bookingAction } from "./booking";

it.each([
  [true, "Book Now", "https://example.com/login?next="],
  [false, "Message Chef Guru", "/contact?service="],
])("offers a message while bookings are off: %s", (takesBookings, label, href) => {
  const mainOrigin = "https://example.com";
  const origins = { origin: "https://cooking.example.com", mainOrigin, returnOrigin: mainOrigin };
  const site = {
    guru: fallbackGuru("cooking"),
    ...origins,
    takesReports: true,
    takesBookings,
    takesMessages: true,
    showsReviews: true,
    hasPosts: true,
  };
  const [service] = defaultServices;
  if (!service) throw new Error("no service");
  const action = bookingAction(site, service, null);
  expect(action.label).toBe(label);
  expect(action.href.startsWith(href)).toBe(true);
});

it("leads back through the custom domain of the page", () => {
  const site = {
    guru: fallbackGuru("cooking"),
    origin: "https://cooking.example.com",
    mainOrigin: "https://example.com",
    returnOrigin: "https://chef.example",
    takesReports: true,
    takesBookings: true,
    takesMessages: true,
    showsReviews: true,
    hasPosts: true,
  };
  const [service] = defaultServices;
  if (!service) throw new Error("no service");
  const next = new URL(bookingAction(site, service, null).href).searchParams.get("next") ?? "";
  expect(next.startsWith("https://chef.example/dashboard?action=book-service")).toBe(true);
});

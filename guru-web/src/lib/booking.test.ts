import { expect, it } from "vitest";

import { defaultServices, fallbackGuru } from "../fallback/default-content";
import { bookingAction } from "./booking";

it.each([
  [true, "Book Now", "https://example.com/login?next="],
  [false, "Message Chef Guru", "/contact?service="],
])("offers a message while bookings are off: %s", (takesBookings, label, href) => {
  const origins = { origin: "https://cooking.example.com", mainOrigin: "https://example.com" };
  const site = { guru: fallbackGuru("cooking"), ...origins, takesReports: true, takesBookings, linksProfiles: true };
  const [service] = defaultServices;
  if (!service) throw new Error("no service");
  const action = bookingAction(site, service, null);
  expect(action.label).toBe(label);
  expect(action.href.startsWith(href)).toBe(true);
});

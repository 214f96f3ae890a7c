import { expect, it } from "vitest";

import { defaultServices, fallbackGuru } from "../fallback/default-content";
import { bookingAction } from "./booking";

it.each([
  [true, "Book Now"],
  [false, "Message Chef Guru"],
])("offers a message while nothing can be booked: %s", (takesBookings, label) => {
  const origins = { origin: "https://cooking.example.com", mainOrigin: "https://example.com" };
  const site = { guru: fallbackGuru("cooking"), ...origins, takesReports: true, takesBookings };
  const [service] = defaultServices;
  if (!service) throw new Error("no service");
  expect(bookingAction(site, service, null).label).toBe(label);
});

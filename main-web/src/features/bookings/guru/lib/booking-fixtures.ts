import type { GuruBookingDetails } from "./types";
import type { components } from "@porchlight/shared/api.gen";

/** A guru as their console shows it. */
export const GURU: components["schemas"]["MySite"] = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
/** A request of a neighbor, as its guru sees it. */
export const BOOKING: GuruBookingDetails = {
  id: "b1",
  seriesId: null,
  status: "requested",
  appointmentId: "a1",
  personName: "Nora Newcomer",
  participants: ["Nora", "Ben"],
  party: 2,
  note: "We are beginners.",
  answers: [],
  serviceId: "s1",
  serviceName: "Lesson",
  startsAt: "2099-12-01T16:00:00Z",
  endsAt: "2099-12-01T17:00:00Z",
  zone: "America/Denver",
  personZone: "",
  priceCents: 9000,
  currency: "USD",
  place: "guru",
  placeText: "",
  address: "",
  expiresAt: "2099-11-30T16:00:00Z",
  waiverLevel: "high",
  waiverUntil: null,
  waiverDue: true,
  endedBy: "",
  reason: "",
  owedCents: 0,
  canAnswer: true,
  proposal: null,
  canCancel: false,
  canPropose: false,
  canMarkMissed: false,
  people: [],
  canChangePlace: false,
  package: null,
  checkedInAt: null,
  checkedInBy: "",
  events: [],
  isCustomer: false,
  customerEmail: "",
};

/** A session that the guru booked for a customer without an account. */
export const CUSTOMER_BOOKING: GuruBookingDetails = {
  ...BOOKING,
  status: "confirmed",
  personName: "Wanda Walk-In",
  party: 1,
  participants: [],
  waiverLevel: "",
  waiverDue: false,
  canAnswer: false,
  canCancel: true,
  expiresAt: null,
  isCustomer: true,
};

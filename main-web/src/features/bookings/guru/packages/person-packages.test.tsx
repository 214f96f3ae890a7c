import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { CUSTOMER_BOOKING, GURU } from "../lib/booking-fixtures";

const { responses, calls } = apiServer();
const GRANTS = "GET /api/guru/package-grants?bookingId=b1";
const FOUR = {
  id: "p1",
  serviceId: "s1",
  serviceName: "Lesson",
  name: "Four lessons",
  sessions: 4,
  days: 90,
  priceCents: 0,
};
const OTHER = { ...FOUR, id: "p2", serviceId: "s2", serviceName: "Workshop", name: "Two workshops", sessions: 2 };
const GRANT = {
  ...FOUR,
  id: "g1",
  guruLabel: "ada",
  guruName: "Ada",
  personName: "Wanda Walk-In",
  isCustomer: true,
  granted: 4,
  left: 3,
  used: 1,
  takenBack: 0,
  lastDay: "2099-12-31",
  isOpen: true,
  paidCents: 0,
  refundedCents: 0,
  disputed: false,
  unusedCents: 0,
};
const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/bookings?when=requests", { body: { bookings: [], nextCursor: null, requests: 0 } });
  responses.set("GET /api/guru/bookings/week", {
    body: {
      zone: "America/Denver",
      from: "2099-11-30",
      sessions: [],
      busy: [],
      hours: [],
      pausedUntil: null,
      more: false,
    },
  });
  responses.set("GET /api/guru/bookings/b1", { body: CUSTOMER_BOOKING });
  responses.set("GET /api/guru/packages", { body: { packages: [FOUR, OTHER] } });
  responses.set(GRANTS, { body: { grants: [], nextCursor: null } });
});

async function open() {
  renderApp("/guru/calendar?booking=b1", ADA);
  const dialog = within(await screen.findByRole("dialog", { name: "Wanda Walk-In" }));
  return { user: userEvent.setup(), dialog };
}

it("gives a package from a booking, which is its first session", async () => {
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole("button", { name: "Give a package to Wanda Walk-In" }));
  const giving = within(await screen.findByRole("dialog", { name: "Give Wanda Walk-In a package" }));
  await giving.findByRole("radio", { name: /^Four lessons/ });
  const give = giving.getByRole("button", { name: "Give package" });
  await user.click(give);
  expect((await giving.findByRole("alert")).textContent).toContain("Choose a package");
  await user.click(giving.getByRole("radio", { name: /^Two workshops/ }));
  expect(giving.queryByRole("checkbox")).toBeNull(); // of another service
  await user.click(giving.getByRole("radio", { name: /^Four lessons/ }));
  expect(giving.getByRole<HTMLInputElement>("checkbox", { name: /uses it$/ }).checked).toBe(true);
  responses.set("POST /api/guru/package-grants", { status: 409, body: { code: "cannot_cover", message: "It can't." } });
  await user.click(give);
  expect((await giving.findByRole("alert")).textContent).toContain("It can't.");
  responses.set("POST /api/guru/package-grants", () => {
    responses.set(GRANTS, { body: { grants: [GRANT], nextCursor: null } });
    return { body: { ...GRANT, events: [], uses: [], refundCents: [] } };
  });
  await user.click(give);
  expect(await dialog.findByText("3 of 4 sessions left, until Dec 31, 2099")).toBeTruthy();
  const sent = { packageId: "p1", bookingId: "b1", coversBooking: true };
  expect(bodies("POST /api/guru/package-grants")).toEqual([sent, sent]);
});

it("books a customer's next session with their package", async () => {
  responses.set(GRANTS, { body: { grants: [GRANT], nextCursor: null } });
  responses.set("GET /api/guru/package-grants?when=current", { body: { grants: [GRANT], nextCursor: null } });
  responses.set("GET /api/guru/calendar", { body: { zone: "America/Denver" } });
  const services = [
    { id: "s0", name: "Talk", durationMinutes: 30 },
    { id: "s1", name: "Lesson", durationMinutes: 60 },
  ];
  responses.set("GET /api/guru/services", { body: { services, revision: 1, deleted: null } });
  const { user, dialog } = await open();
  await user.click(await dialog.findByRole("button", { name: "Book with it for Wanda Walk-In" }));
  const booking = within(await screen.findByRole("dialog", { name: "Book for a customer" }));
  expect((await booking.findByLabelText<HTMLSelectElement>(/^Package/)).value).toBe("g1");
  await user.type(booking.getByLabelText(/^Date/), "2099-12-08");
  responses.set("POST /api/guru/bookings", { body: CUSTOMER_BOOKING });
  await user.click(booking.getByRole("button", { name: "Book" }));
  await screen.findByText("Booked for Wanda Walk-In.");
  const sent = { serviceId: "s1", packageId: "g1", name: "Wanda Walk-In", startsAt: "2099-12-08T17:00:00.000Z" };
  expect(bodies("POST /api/guru/bookings")).toMatchObject([sent]);
});

it("says when packages did not load", async () => {
  responses.set(GRANTS, { status: 500, body: { code: "internal", message: "Broken." } });
  const { dialog } = await open();
  expect(await dialog.findByText("We couldn't load packages.")).toBeTruthy();
});

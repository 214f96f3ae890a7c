import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { BOOKING, HOLD, NO_TIMES, TOKEN } from "../pages/book-page-fixtures";
import type { OwnPackage } from "../lib/package-texts";
import { bookingOf, TERMS } from "../pages/session-fixtures";

const { responses, calls } = apiServer();
const PACKAGE = {
  id: "g1",
  name: "Five lessons",
  granted: 5,
  left: 3,
  expiresAt: "2027-05-01T06:00:00Z",
  lastDay: "2027-04-30",
};
const hold = { ...HOLD, party: 1, package: PACKAGE };

beforeEach(() => {
  responses.set(`GET /api/holds/${TOKEN}`, { body: hold });
  responses.set("GET /api/gurus/cooking/services/s-1/slots", { body: NO_TIMES });
  const booked = { ...BOOKING, party: 1, package: { id: "g1", name: "Five lessons", sessions: 1 } };
  responses.set("POST /api/bookings", { status: 201, body: booked });
  responses.set(`GET /api/bookings/${BOOKING.id}`, { body: booked });
});

const sent = () => calls.find(({ route }) => route === "POST /api/bookings")?.body;

it("books with the package and says what is left", async () => {
  renderApp(`/book/${TOKEN}`, ADA);
  expect(await screen.findByText("3 of 5 sessions left, until Apr 30, 2027.")).toBeTruthy();
  expect(screen.getByText("$150, pay at the session, or with your package")).toBeTruthy();
  expect(screen.getByText("Not showing up uses the session of your package.")).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Book this time" }));
  expect(await screen.findByText("Included in your package Five lessons")).toBeTruthy();
  expect(sent()).toMatchObject({ package: { id: "g1", sessions: 1 } });
});

it("books without the package if the person wants to pay", async () => {
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: "Use Five lessons" }));
  expect(screen.queryByText(/uses the session of your package/)).toBeNull();
  await user.click(screen.getByRole("button", { name: /^Book for \$150/ }));
  await screen.findByRole("heading", { level: 1, name: "You're booked!" });
  expect(sent()).not.toHaveProperty("package");
});

const OWN: OwnPackage = {
  id: "g1",
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s1",
  serviceName: "Knife skills",
  name: "Five lessons",
  granted: 5,
  left: 3,
  used: 2,
  takenBack: 0,
  lastDay: "2027-03-01",
  isOpen: true,
  paidCents: 0,
  refundedCents: 0,
  disputed: false,
};

function openSessions(...packages: OwnPackage[]) {
  responses.set("GET /api/bookings", { body: { bookings: [], nextCursor: null } });
  responses.set("GET /api/packages", { body: { packages } });
  renderApp("/sessions#packages", ADA);
}

it("shows what is left of packages above the sessions", async () => {
  openSessions(OWN, { ...OWN, id: "g2", name: "Old", isOpen: false });
  expect(await screen.findByText("3 of 5 sessions left, until Mar 1, 2027")).toBeTruthy();
  expect(screen.queryByText(/^Old/)).toBeNull();
  expect(screen.getByText("Ask Chef Guru about the price of more sessions.")).toBeTruthy();
});

it("shows what was paid for a package and what went back", async () => {
  openSessions({ ...OWN, paidCents: 20_000, refundedCents: 4000 });
  expect(await screen.findByText("Paid $200.00, $40.00 returned")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Choose a time for Knife skills with Chef Guru" })).toBeTruthy();
  expect(screen.queryByText(/^Ask Chef Guru/)).toBeNull();
});

it("says that a package can't be used while the bank decides", async () => {
  openSessions({ ...OWN, isOpen: false, paidCents: 20_000, disputed: true });
  const words = "Your bank is deciding about this payment, so it can't be used now.";
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole("link", { name: /^Choose a time/ })).toBeNull();
});

it("says that a late cancellation uses the session of the package", async () => {
  responses.set("GET /api/bookings/b1", {
    body: bookingOf({
      priceCents: 0,
      package: { id: "g1", name: "Five lessons", sessions: 1 },
      usesUpPackage: true,
      terms: { ...TERMS, freeUntil: null, lateCents: 0, missedCents: 0 },
    }),
  });
  renderApp("/sessions/b1", ADA);
  expect(await screen.findByText("If you cancel now, the session of your package is used.")).toBeTruthy();
  expect(screen.getByText("If you don't come, the session is used.")).toBeTruthy();
  await userEvent.setup().click(screen.getByRole("button", { name: "Cancel session" }));
  expect(await screen.findByText(/The session of your package is used if you cancel now\.$/)).toBeTruthy();
});

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later } from "../pages/session-fixtures";

const { responses, calls } = apiServer();
const SESSION = {
  id: "b1",
  serviceName: "Knife skills",
  startsAt: later(72),
  endsAt: later(73),
  zone: "America/Denver",
  status: "confirmed",
};
const claimOf = (changes: object = {}) => ({
  body: { id: "b1", claimed: false, matches: true, bookings: [SESSION], ...changes },
});

beforeEach(() => {
  responses.set("GET /api/booked/abc", { body: bookingOf() });
});

it("sends a visitor to sign in and back", async () => {
  const { router } = renderApp("/booked/abc");
  await userEvent.setup().click(await screen.findByRole("link", { name: "Sign in" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(router.state.location.state).toMatchObject({ from: "/booked/abc" });
});

it("adds all sessions that were booked for the account's address", async () => {
  responses.set("GET /api/booked/abc/claim", claimOf({ bookings: [SESSION, { ...SESSION, id: "b2" }] }));
  responses.set("POST /api/booked/abc/claim", claimOf({ claimed: true }));
  responses.set("GET /api/bookings/b1", { body: bookingOf() });
  const { router } = renderApp("/booked/abc", ADA);
  await userEvent.setup().click(await screen.findByRole("button", { name: "Add 2 sessions" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/sessions/b1"));
});

it("asks whose session it is if the address is another one, and says why it failed", async () => {
  responses.set("GET /api/booked/abc/claim", claimOf({ matches: false }));
  const message = "This session is in a Porchlight account now.";
  responses.set("POST /api/booked/abc/claim", { status: 409, body: { code: "booking_claimed", message } });
  renderApp("/booked/abc", ADA);
  expect(await screen.findByText(/^This session was booked for another email address/)).toBeTruthy();
  await userEvent.setup().click(screen.getByRole("button", { name: "It's mine, add it" }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(calls.find(({ route }) => route === "POST /api/booked/abc/claim")?.body).toEqual({ confirmed: true });
});

it("leads from a claimed link to the session", async () => {
  responses.set("GET /api/booked/abc", {
    status: 409,
    body: { code: "booking_claimed", message: "Claimed.", fields: { id: "b1" } },
  });
  renderApp("/booked/abc");
  const link = await screen.findByRole("link", { name: "Open my session" });
  expect(link.getAttribute("href")).toBe("/sessions/b1");
});

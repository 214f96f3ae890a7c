import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Hold } from "../lib/types";
import { HOLD, TOKEN } from "./book-page-fixtures";
import { heldOf } from "./session-fixtures";

const { responses, calls } = apiServer();
const CARD: Hold = {
  ...HOLD,
  paysByCard: true,
  party: 1,
  priceCents: 7500,
  dueNowCents: 7500,
  policy: { ...HOLD.policy, payment: "full" },
};
const hold = (changes: Partial<Hold> = {}) =>
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...CARD, ...changes } });
const button = (name = /^Continue to payment/) => screen.findByRole<HTMLButtonElement>("button", { name });

beforeEach(() => {
  sessionStorage.clear();
  hold();
});
afterEach(() => {
  window.location.hash = "";
});

it("says before what is paid where, and goes to Stripe's page", async () => {
  responses.set("POST /api/bookings", { status: 201, body: heldOf({ url: "#stripe" }) });
  renderApp(`/book/${TOKEN}`, ADA);
  const submit = await button();
  expect(submit.textContent).toBe("Continue to payment – $75.00");
  expect(screen.getByText("Pay $75.00 by card")).toBeTruthy();
  expect(screen.getByText("You pay on Stripe's page. We keep your time for 35 minutes.")).toBeTruthy();
  expect(screen.getByText("$75.00, pay by card")).toBeTruthy();
  expect(screen.queryByText(/pay at the session/)).toBeNull();
  fireEvent.click(submit);
  await waitFor(() => expect(window.location.hash).toBe("#stripe"));
});

it("shows the session that waits for Stripe's page while it is not open", async () => {
  const opening = heldOf({ state: "opening", url: "" });
  responses.set("POST /api/bookings", { status: 201, body: opening });
  responses.set("GET /api/bookings/b1", { body: opening });
  const { router } = renderApp(`/book/${TOKEN}`, ADA);
  fireEvent.click(await button());
  expect(await screen.findByText("Opening Stripe's page…")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/sessions/b1");
});

it("shows the session instead of the form once only the payment is missing", async () => {
  hold({ bookingId: "b1" });
  responses.set("GET /api/bookings/b1", { body: heldOf() });
  const { router } = renderApp(`/book/${TOKEN}`, ADA);
  expect(await screen.findByRole("link", { name: "Pay $75.00" })).toBeTruthy();
  expect(router.state.location.pathname).toBe("/sessions/b1");
});

it("tells that the price of a refused request comes back", async () => {
  hold({ approval: "request" });
  renderApp(`/book/${TOKEN}`, ADA);
  await button();
  expect(screen.getByText(/If Chef Guru can't take it, you get all of it back\.$/)).toBeTruthy();
});

it("asks for no payment of what a package covers", async () => {
  const expiresAt = "2028-01-01T00:00:00Z";
  hold({ package: { id: "g1", name: "Five lessons", granted: 5, left: 5, expiresAt, lastDay: "2027-12-31" } });
  renderApp(`/book/${TOKEN}`, ADA);
  await button(/^Book this time$/);
  expect(screen.queryByText(/by card$/)).toBeNull();
  fireEvent.click(screen.getByRole("checkbox", { name: "Use Five lessons" }));
  await button();
});

it("says why cards can't be taken", async () => {
  const message = "This guru can't take card payments right now. Send them a message to arrange the session.";
  responses.set("POST /api/bookings", { status: 409, body: { code: "cards_unavailable", message } });
  renderApp(`/book/${TOKEN}`, ADA);
  fireEvent.click(await button());
  expect(await screen.findByText(message)).toBeTruthy();
  expect((await button()).disabled).toBe(false);
  expect(calls.filter(({ route }) => route === "POST /api/bookings")).toHaveLength(1);
});

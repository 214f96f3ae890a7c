import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, heldOf, PAID, TERMS } from "./session-fixtures";

const { responses, calls } = apiServer();
const serve = (body: object) => responses.set("GET /api/bookings/b1", { body });
const PAY = "/api/bookings/b1/payment";
const PAID_BOOKING = bookingOf({ payment: PAID });
const expired = (payment: object, endedBy = "system") =>
  heldOf({ url: "", secondsLeft: 0, ...payment }, { status: "expired", endedBy, expiresAt: null });
const card = async () => within(await screen.findByRole("region", { name: /^(Your payment|What happened)$/ }));
const canceling = () => screen.findByRole("alertdialog");

afterEach(() => {
  vi.useRealTimers();
  window.location.hash = "";
});

describe("a session that waits for its payment", () => {
  it("shows how long it is held, and leads to Stripe's page", async () => {
    serve(heldOf());
    renderApp("/sessions/b1", ADA);
    const held = await card();
    expect(held.getByText(/^Your time is held until \d+:\d\d [AP]M\./)).toBeTruthy();
    expect(held.getByRole("timer").textContent).toMatch(/^3[45]:\d\d$/);
    expect(held.getByRole("link", { name: "Pay $75.00" }).getAttribute("href")).toBe("https://pay.example/1");
    expect(screen.getByText("Waiting for your payment")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel session" })).toBeNull();
  });

  it("names the total of a series", async () => {
    responses.set("GET /api/bookings/series/b1", { body: { id: "b1", bookings: [] } });
    serve(heldOf({ totalCents: 30_000 }, { seriesId: "b1" }));
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByRole("link", { name: "Pay $300.00 for your series" })).toBeTruthy();
  });

  it("is given up after a question", async () => {
    serve(heldOf());
    renderApp("/sessions/b1", ADA);
    const user = userEvent.setup();
    await user.click((await card()).getByRole("button", { name: "Give up this time" }));
    const dialog = within(await canceling());
    responses.set(`DELETE ${PAY}`, { status: 500 });
    await user.click(dialog.getByRole("button", { name: "Give up this time" }));
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    const gone = expired({ state: "canceled" }, "person");
    responses.set(`DELETE ${PAY}`, () => {
      serve(gone);
      return { body: gone };
    });
    await user.click(dialog.getByRole("button", { name: "Give up this time" }));
    expect(await screen.findByText("You gave this time up. Nothing was charged.")).toBeTruthy();
    const again = (await card()).getByRole("link", { name: "Choose another time" });
    expect(again.getAttribute("href")).toMatch(/\/services\/s1\/times$/);
  });

  it("opens Stripe's page again after it could not be reached", async () => {
    serve(heldOf({ state: "failed", url: "" }));
    renderApp("/sessions/b1", ADA);
    const failed = await card();
    expect(failed.getByText(/^We couldn't reach Stripe\. Your time is still yours until /)).toBeTruthy();
    const message = "Payments are not set up on this site yet.";
    responses.set(`POST ${PAY}`, { status: 503, body: { code: "payments_unavailable", message } });
    fireEvent.click(failed.getByRole("button", { name: "Try again" }));
    expect(await failed.findByText(message)).toBeTruthy();
    const open = heldOf({ url: "#stripe" });
    responses.set(`POST ${PAY}`, () => {
      serve(open);
      return { body: open };
    });
    fireEvent.click(failed.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(window.location.hash).toBe("#stripe"));
  });

  it("asks until Stripe's page is open", async () => {
    serve(heldOf({ state: "opening", url: "" }));
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("Opening Stripe's page…")).toBeTruthy();
    serve(heldOf());
    expect(await screen.findByRole("link", { name: "Pay $75.00" }, { timeout: 10_000 })).toBeTruthy();
  });
});

describe("after Stripe's page", () => {
  const RETURN = "/sessions/b1?payment=done";
  const WAITING = "We're waiting for Stripe to confirm your payment. This page updates by itself.";

  it("waits for the confirmation, and then shows the session", async () => {
    serve(heldOf());
    const { router } = renderApp(RETURN, ADA);
    expect(await screen.findByText(WAITING)).toBeTruthy();
    expect(screen.queryByRole("link", { name: /^Pay/ })).toBeNull();
    serve(PAID_BOOKING);
    expect(
      await screen.findByText("You're booked! We got your payment of $75.00.", undefined, { timeout: 10_000 }),
    ).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(screen.getByText("Paid $75.00 with Visa ending in 4242")).toBeTruthy();
  });

  it("says that a request waits for the guru", async () => {
    serve(bookingOf({ payment: PAID, status: "requested" }));
    renderApp(RETURN, ADA);
    expect(await screen.findByText("We got your payment of $75.00. Now Chef Guru answers your request.")).toBeTruthy();
  });

  it("goes on waiting for a payment whose time is over", async () => {
    serve(expired({ state: "open" }));
    renderApp(RETURN, ADA);
    expect(await screen.findByText(WAITING)).toBeTruthy();
  });

  it("stops after some minutes, and asks again on request", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    serve(heldOf());
    const { queries } = renderApp(RETURN, ADA);
    expect(await screen.findByText(WAITING)).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(181_000));
    expect(await screen.findByText(/^Stripe hasn't confirmed your payment yet\./)).toBeTruthy();
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    const asked = () => calls.filter(({ route }) => route === "GET /api/bookings/b1").length;
    const before = asked();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(asked()).toBe(before);
    serve(PAID_BOOKING);
    fireEvent.click(screen.getByRole("button", { name: "Check again" }));
    expect(await screen.findByText("You're booked! We got your payment of $75.00.")).toBeTruthy();
  });

  it("shows no success message without the way back from Stripe", async () => {
    serve(PAID_BOOKING);
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("Paid $75.00 with Visa ending in 4242")).toBeTruthy();
    expect(screen.queryByText(/^You're booked!/)).toBeNull();
  });
});

describe("a session that was not booked", () => {
  it.each([
    [expired({ state: "expired" }), "You didn't pay in time, so the time is free again. Nothing was charged."],
    [
      expired({ ...PAID, refundedCents: 7500, refundCents: 0, isLate: true }),
      "Someone else got this time. You were refunded in full. It takes 5 to 10 days to show.",
    ],
    [
      expired({ ...PAID, refundedCents: 7500, refundCents: 0, isLate: true }, "person"),
      "You gave this time up before your payment arrived. You were refunded in full. It takes 5 to 10 days to show.",
    ],
  ])("says why", async (booking, text) => {
    serve(booking);
    renderApp("/sessions/b1", ADA);
    expect((await card()).getByText(text)).toBeTruthy();
    expect((await card()).getByRole("link", { name: "Choose another time" })).toBeTruthy();
  });

  it("returns the price of a request without an answer", async () => {
    serve(expired({ ...PAID, refundedCents: 7500, refundCents: 0 }));
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("This request expired: Chef Guru didn't answer in time.")).toBeTruthy();
    expect(screen.getByText("Refunded $75.00 to your card. It takes 5 to 10 days to show.")).toBeTruthy();
  });
});

describe("canceling a paid session", () => {
  const LATE = { ...TERMS, owedCents: 3750, lateCents: 3750, missedCents: 7500, freeUntil: null };

  it("says to the cent what comes back and what stays", async () => {
    serve(bookingOf({ payment: { ...PAID, refundCents: 3750 }, terms: LATE }));
    renderApp("/sessions/b1", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel session" }));
    const words = /You get \$37\.50 back\. \$37\.50 stays with Chef Guru by the terms of your booking\.$/;
    expect(within(await canceling()).getByText(words)).toBeTruthy();
  });

  it("sums up what comes back of a series", async () => {
    responses.set("GET /api/bookings/series/b1", { body: { id: "b1", bookings: [] } });
    const session = { status: "confirmed", startsAt: "", endsAt: "", newStart: null, fit: null };
    const sessions = [
      { ...session, id: "b1", owedCents: 4000, refundCents: 3750, staysCents: 3750, restCents: 0 }, // less a refund
      { ...session, id: "b2", owedCents: 0, refundCents: 7500, staysCents: 0, restCents: 0 },
      { ...session, id: "b3", owedCents: 0, refundCents: null }, // with a package
    ];
    responses.set("GET /api/bookings/b1/following", {
      body: { sessions, owedCents: 3750, currency: "USD", zone: "America/Denver", digest: "all" },
    });
    serve(bookingOf({ seriesId: "b1", payment: { ...PAID, refundCents: 3750 }, terms: LATE }));
    renderApp("/sessions/b1", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel session" }));
    const dialog = within(await canceling());
    await userEvent.click(await dialog.findByRole("radio", { name: /^This and the following sessions/ }));
    const words = /You get \$112\.50 back in all\. \$37\.50 stays with Chef Guru/;
    expect(dialog.getByText(words)).toBeTruthy();
    expect(dialog.queryByText(/You owe/)).toBeNull();
  });

  it("shows afterwards what went back", async () => {
    serve(
      bookingOf({ status: "canceled", endedBy: "person", owedCents: 3750, payment: { ...PAID, refundedCents: 3750 } }),
    );
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText(/^Refunded \$37\.50 to your card\. It takes 5 to 10 days to show\./)).toBeTruthy();
    expect(screen.queryByText(/You owe/)).toBeNull();
    expect(screen.getByRole("link", { name: "See your orders" }).getAttribute("href")).toBe("/account/orders");
  });
});

it("is in the list of what is ahead, with the time left and a way to pay", async () => {
  responses.set("GET /api/waitlist", { body: { entries: [] } });
  responses.set("GET /api/exchanges", { body: { exchanges: [], nextCursor: null } });
  responses.set("GET /api/bookings", { body: { bookings: [heldOf()], nextCursor: null } });
  renderApp("/sessions", ADA);
  const list = within(await screen.findByRole("list", { name: "Upcoming sessions" }));
  expect(list.getByText("Waiting for your payment")).toBeTruthy();
  expect(list.getByText(/^Held for you until .+, 3[45] minutes left$/)).toBeTruthy();
  const pay = list.getByRole("link", { name: "Pay $75.00: Knife skills with Chef Guru" });
  expect(pay.getAttribute("href")).toBe("https://pay.example/1");
  expect(calls.some(({ route }) => route.startsWith("GET /api/bookings?when=upcoming"))).toBe(true);
});

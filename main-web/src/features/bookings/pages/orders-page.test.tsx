import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Order } from "../api/get-orders";

const { responses } = apiServer();
const ORDERS = "GET /api/orders";
const ORDER: Order = {
  id: "p1",
  purpose: "session",
  bookingId: "b1",
  grantId: null,
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceName: "Knife Skills",
  mode: "full",
  state: "paid",
  reason: "",
  restCents: 0,
  amountCents: 7500,
  refundedCents: 0,
  currency: "USD",
  card: "Visa ending in 4242",
  paidAt: "2026-11-20T18:00:00Z",
  disputed: false,
  bankReturnedCents: 0,
  canTip: false,
  refunds: [],
};
const REFUND = {
  amountCents: 3750,
  reason: "canceled",
  state: "requested",
  createdAt: "2026-11-22T18:00:00Z",
} as const;
const serve = (orders: Order[], nextCursor: string | null = null) =>
  responses.set(ORDERS, { body: { orders, nextCursor } });
const list = async () => within(await screen.findByRole("list", { name: "Orders" }));

it("shows what was paid, when, to whom and with which card", async () => {
  const held = heldResponse({ orders: [ORDER], nextCursor: null });
  responses.set(ORDERS, held.responder);
  renderApp("/account/orders", ADA);
  expect(await screen.findByText("Loading your orders...")).toBeTruthy();
  held.release();
  const row = await list();
  expect(row.getByRole("link", { name: "Knife Skills" }).getAttribute("href")).toBe("/sessions/b1");
  for (const text of ["with Chef Guru", "$75.00", "Visa ending in 4242", "Nov 20, 2026"])
    expect(row.getByText(text)).toBeTruthy();
});

it.each([
  [
    REFUND,
    3750,
    "Partly refunded",
    "Refund of $37.50 on its way to your card (you canceled). It takes 5 to 10 days to show.",
  ],
  [
    { ...REFUND, amountCents: 7500, state: "done" as const, reason: "not_answered" as const },
    7500,
    "Refunded",
    "Refunded $75.00 on Nov 22, 2026 (your request wasn't answered).",
  ],
  [
    { ...REFUND, state: "failed" as const },
    3750,
    "Partly refunded",
    "Your bank sent the refund of $37.50 back. We're on it, and you don't need to do anything.",
  ],
])("shows a refund and where it is", async (refund, refundedCents, badge, text) => {
  serve([{ ...ORDER, refundedCents, refunds: [refund] }]);
  renderApp("/account/orders", ADA);
  const row = await list();
  expect(row.getByText(badge)).toBeTruthy();
  expect(row.getByText(text)).toBeTruthy();
});

it("says that the bank looks at a payment", async () => {
  serve([{ ...ORDER, disputed: true }]);
  renderApp("/account/orders", ADA);
  expect(await screen.findByText(/^Your bank is looking at this payment\./)).toBeTruthy();
});

it("says what the bank returned by itself", async () => {
  serve([{ ...ORDER, bankReturnedCents: 2500 }]);
  renderApp("/account/orders", ADA);
  expect(await screen.findByText("Your bank returned $25.00 to you.")).toBeTruthy();
});

it("shows the empty state", async () => {
  serve([]);
  renderApp("/account/orders", ADA);
  expect(await screen.findByText("No orders yet")).toBeTruthy();
  expect(screen.getByText("Sessions, packages and tips that you pay by card show up here.")).toBeTruthy();
});

it("shows more on request, and says when that fails", async () => {
  serve([ORDER], "next");
  responses.set(`${ORDERS}?cursor=next`, { status: 500 });
  renderApp("/account/orders", ADA);
  const more = await screen.findByRole("button", { name: "Show more" });
  await userEvent.click(more);
  expect(await screen.findByText("We couldn't load more orders. Try again.")).toBeTruthy();
  responses.set(`${ORDERS}?cursor=next`, { body: { orders: [{ ...ORDER, id: "p2" }], nextCursor: null } });
  await userEvent.click(more);
  expect(await (await list()).findAllByRole("listitem")).toHaveLength(2);
});

it("says that the orders couldn't be loaded, and tries again", async () => {
  responses.set(ORDERS, { status: 500 });
  renderApp("/account/orders", ADA);
  expect(await screen.findByText("We couldn't load your orders")).toBeTruthy();
  serve([ORDER]);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await list();
});

it("shows a charge of the kept card when it arrives", async () => {
  const charging = { ...ORDER, mode: "hold", state: "charging", reason: "canceled", amountCents: 3250 } as const;
  serve([charging]);
  renderApp("/account/orders", ADA);
  expect(await screen.findByText("Being charged")).toBeTruthy();
  serve([{ ...charging, state: "paid" }]);
  expect(await screen.findByText("Charged because you canceled late.", {}, { timeout: 5000 })).toBeTruthy();
});

it("leads from a package to what is left of it", async () => {
  const taken = { ...REFUND, amountCents: 4000, state: "done", reason: "taken_back" } as const;
  const serviceName = "Five lessons: 5 sessions of Knife Skills";
  serve([{ ...ORDER, purpose: "package", bookingId: null, grantId: "g1", serviceName, refunds: [taken] }]);
  renderApp("/account/orders", ADA);
  const row = await list();
  expect(row.getByRole("link", { name: serviceName }).getAttribute("href")).toBe("/sessions#packages");
  expect(row.getByText("Refunded $40.00 on Nov 22, 2026 (the guru took sessions back).")).toBeTruthy();
  expect(row.queryByRole("link", { name: /^Leave a tip/ })).toBeNull();
});

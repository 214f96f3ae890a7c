import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior } from "@/testing/admin/list-behavior";
import { MAYA } from "@/testing/admin/staff";
import type { CardPayment, CardPaymentDetails, MoneyOverview, MoneySummary } from "../lib/types";

const { responses, calls } = apiServer();
const MONEY = "/api/admin/money";
const SUMMARY: MoneySummary = {
  reconciledAt: new Date(Date.now() - 12 * 60_000).toISOString(),
  centsOff: 0,
  accountsOff: 0,
  openFindings: 3,
  failedEvents: 0,
  openWrites: 0,
  waitingAdjustments: 0,
  openDisputes: 0,
};
const OVERVIEW: MoneyOverview = {
  heldCents: 12_345,
  owedCents: 1,
  debtCents: 250,
  disputed: { count: 1, cents: 7500 },
  refundedCents: 3750,
  feeCents: 999,
  packageCents: 100,
  giftCardCents: 20,
  creditCents: 3,
  waitingRefunds: { count: 2, cents: 9000 },
  waitingTransfers: { count: 0, cents: 0 },
  stuckTransfers: { count: 1, cents: 6750 },
};
const PAYMENT: CardPayment = {
  id: "p1",
  bookingId: "b1",
  state: "partly_refunded",
  person: "ada@mail.example",
  guruLabel: "cooking",
  serviceName: "Knife Skills",
  amountCents: 7500,
  refundedCents: 3750,
  feeCents: 750,
  createdAt: "2026-11-20T09:00:00Z",
};
const DETAILS: CardPaymentDetails = {
  payment: PAYMENT,
  groupId: "g1",
  card: "Visa 4242",
  feeKeptCents: 375,
  shareCents: 3375,
  transferredCents: 0,
  refundableCents: 3750,
  errorCode: "",
  steps: [
    { kind: "began", at: "2026-11-20T09:00:00Z", cents: 7500, note: "" },
    { kind: "refund", at: "2026-11-21T09:00:00Z", cents: 3750, note: "canceled, done" },
  ],
  postings: [
    {
      id: "t1",
      event: "paid",
      at: "2026-11-20T09:01:00Z",
      legs: [
        { debit: "card_network", credit: "guru_held", cents: 6750 },
        { debit: "card_network", credit: "platform_fees", cents: 750 },
      ],
    },
  ],
  stripe: [
    { id: "cs_1", url: "" },
    { id: "pi_1", url: "https://dashboard.stripe.com/test/payments/pi_1" },
  ],
};

beforeAll(() => Promise.all([import("@/features/admin/components/admin-layout"), import("./money-page")]), 60_000);

beforeEach(() => {
  responses.set("GET /api/admin/ping", { body: MAYA });
  responses.set(`GET ${MONEY}`, { body: SUMMARY });
  responses.set(`GET ${MONEY}/overview`, { body: OVERVIEW });
  responses.set(`GET ${MONEY}/payments`, { body: { items: [PAYMENT], nextCursor: null } });
  responses.set(`GET ${MONEY}/payments/p1`, { body: DETAILS });
});

describe("the overview", () => {
  it("is the first tab, with each sum and a link to its list", async () => {
    renderApp("/admin/money");
    const list = within(await screen.findByRole("list", { name: "Overview" }));
    const card = (name: string) => list.getByRole("link", { name }).closest("li");
    for (const [name, value, to] of [
      ["Held for sessions", "$123.45", "?tab=payments&state=paid"],
      ["Owed to gurus", "$0.01", "?tab=payments&state=paid"],
      ["Gurus' debt", "$2.50", "?tab=adjustments"],
      ["Disputed", "$75.00", "?tab=payments&state=disputed"],
      ["Customers' balances", "$1.23", "?tab=payments&state=paid"],
      ["Waiting refunds", "$90.00", "?tab=payments&state=refunded"],
      ["Stuck transfers", "$67.50", "?tab=payments&state=stuck"],
      ["Findings", "3", "?tab=findings"],
    ] as const) {
      await waitFor(() => expect(card(name)?.textContent).toContain(value));
      expect(
        within(card(name) as HTMLElement)
          .getByRole("link")
          .getAttribute("href"),
      ).toBe(`/admin/money${to}`);
    }
  });

  it("fails and is loaded again", async () => {
    responses.set(`GET ${MONEY}/overview`, { status: 500 });
    renderApp("/admin/money");
    expect(await screen.findByText("We couldn't load the overview")).toBeTruthy();
    responses.set(`GET ${MONEY}/overview`, { body: OVERVIEW });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Disputed" })).toBeTruthy();
  });
});

describe("the payments", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin/money?tab=payments",
    path: `${MONEY}/payments`,
    label: "Payments",
    items: [PAYMENT, { ...PAYMENT, id: "p2", serviceName: "Bread" }],
    names: [/Knife Skills/, /Bread/],
    errorTitle: "We couldn't load the payments",
    empty: "No payments.",
  });

  it("are filtered by state and searched by id, which stay in the address", async () => {
    responses.set(`GET ${MONEY}/payments?state=stuck&search=pi_1`, { body: { items: [], nextCursor: null } });
    const { router } = renderApp("/admin/money?tab=payments");
    await userEvent.selectOptions(await screen.findByLabelText("Show"), "stuck");
    await userEvent.type(screen.getByLabelText("Payment, booking or Stripe id, or email address"), "pi_1");
    await waitFor(() => expect(calls.at(-1)?.route).toContain("search=pi_1"));
    expect(calls.at(-1)?.route).toContain("state=stuck");
    expect(router.state.location.search).toBe("?tab=payments&state=stuck&search=pi_1");
  });

  it("open with who has how much, what happened, the ledger and Stripe", async () => {
    renderApp("/admin/money?tab=payments");
    await userEvent.click(await screen.findByRole("button", { name: "Knife Skills" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("Refund $37.50 (canceled, done)")).toBeTruthy();
    expect(dialog.getByText("Guru's share").nextSibling?.textContent).toBe("$33.75");
    expect(dialog.getByText("$67.50 from card network to guru held")).toBeTruthy();
    const link = dialog.getByRole("link", { name: /^pi_1/ });
    expect(link.getAttribute("href")).toBe("https://dashboard.stripe.com/test/payments/pi_1");
    expect(dialog.getByText("cs_1")).toBeTruthy();
  });

  it("say that the details couldn't be loaded", async () => {
    responses.set(`GET ${MONEY}/payments/p1`, { status: 500 });
    renderApp("/admin/money?tab=payments");
    await userEvent.click(await screen.findByRole("button", { name: "Knife Skills" }));
    expect(await screen.findByText("We couldn't load this")).toBeTruthy();
  });
});

describe("staff's refund of a payment", () => {
  const REFUND = `POST ${MONEY}/payments/p1/refunds`;

  async function open() {
    renderApp("/admin/money?tab=payments");
    await userEvent.click(await screen.findByRole("button", { name: /Knife Skills/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Refund this payment" }));
    return within(await screen.findByRole("form", { name: "Refund this payment" }));
  }

  it("returns an amount with a reason, and says so", async () => {
    const form = await open();
    const amount = form.getByLabelText<HTMLInputElement>("Amount ($)");
    expect(amount.value).toBe("37.50");
    await userEvent.click(form.getByRole("button", { name: "Refund" }));
    expect(form.getByText("Please enter a reason.")).toBeTruthy();
    await userEvent.clear(amount);
    await userEvent.type(amount, "40");
    await userEvent.type(form.getByLabelText("Reason"), "The room was closed.");
    await userEvent.click(form.getByRole("button", { name: "Refund" }));
    expect(form.getByText("You can return up to $37.50.")).toBeTruthy();
    await userEvent.clear(amount);
    await userEvent.type(amount, "20");
    responses.set(REFUND, { status: 201, body: { paymentId: "p1", keptCents: 1750 } });
    await userEvent.click(form.getByRole("button", { name: "Refund" }));
    expect(await screen.findByText("$20.00 is on its way back to the card.")).toBeTruthy();
    const sent = calls.find(({ route }) => route === REFUND);
    expect(sent?.body).toEqual({ amountCents: 2000, keptCents: 3750, reason: "The room was closed." });
  });

  it("keeps what was typed when it is refused", async () => {
    const form = await open();
    await userEvent.type(form.getByLabelText("Reason"), "The room was closed.");
    const message = "The bank is looking at this payment. It decides who gets the money.";
    responses.set(REFUND, { status: 409, body: { code: "payment_disputed", message } });
    await userEvent.click(form.getByRole("button", { name: "Refund" }));
    expect(await form.findByText(message)).toBeTruthy();
    expect(form.getByLabelText<HTMLTextAreaElement>("Reason").value).toBe("The room was closed.");
  });

  it("is not offered when nothing can be returned", async () => {
    responses.set(`GET ${MONEY}/payments/p1`, { body: { ...DETAILS, refundableCents: 0 } });
    renderApp("/admin/money?tab=payments");
    await userEvent.click(await screen.findByRole("button", { name: /Knife Skills/ }));
    expect(await screen.findByText("Visa 4242")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Refund this payment" })).toBeNull();
  });
});

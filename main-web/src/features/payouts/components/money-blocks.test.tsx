import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Balance, Connection, InstantOffer, Payout } from "../lib/types";

const { responses, calls } = apiServer();

const CONNECTED: Connection = {
  connected: true,
  charges_enabled: true,
  payouts_enabled: true,
  details_submitted: true,
  currently_due: [],
};
const OFFER: InstantOffer = {
  eligible: true,
  reason: null,
  gross: 18_240,
  fee: 274,
  net: 17_966,
  destination: "Visa ending in 4242",
  minimum: 100,
  feeBasisPoints: 150,
  feeMinimum: 50,
};
const BALANCE: Balance = {
  connected: true,
  balance: {
    available: [{ amount: 18_240, currency: "usd" }],
    pending: [{ amount: 6750, currency: "usd" }],
    instant_available: [
      { amount: 18_240, currency: "usd" },
      { amount: 999, currency: "eur" },
    ],
  },
  availableCents: 18_240,
  belowZeroCents: 0,
  held: 13_500,
  debt: 0,
  instant: OFFER,
};
const PAYOUT: Payout = {
  id: "p1",
  amountCents: 12_345,
  feeCents: 0,
  method: "standard",
  automatic: true,
  last4: "6789",
  state: "paid",
  failureCode: "",
  arrivalDate: "2026-11-20",
  createdAt: "2026-11-18T12:00:00Z",
};

const INSTANT = "POST /api/payouts/instant";
const QUOTE = "GET /api/payouts/quote";

/** Let the server quote a payout of `net` cents. */
function setQuote(net: number, fee: number) {
  responses.set(QUOTE, { body: { gross: net + fee, fee, net } });
}

function setFlag(instantPayouts: boolean, available = true) {
  responses.set("GET /api/config", {
    body: { firebase: null, stripe: null, payments: { available }, flags: { instantPayouts } },
  });
}

beforeEach(() => {
  setFlag(true);
  responses.set("GET /api/connect/status", { body: CONNECTED });
  responses.set("GET /api/payouts/balance", { body: BALANCE });
  responses.set("GET /api/payouts/schedule", { body: { interval: "daily", weekday: null, dayOfMonth: null } });
  responses.set("GET /api/payouts", { body: { items: [PAYOUT], nextCursor: null } });
});

const region = (name: string) => screen.findByRole("region", { name });

async function openInstantPayout() {
  const user = userEvent.setup();
  renderApp("/account/payouts", ADA);
  return { user, box: within(await region("Instant payout")) };
}

async function confirmPayout(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole("button", { name: "Pay out now" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Confirm payout" }));
}

const keys = () =>
  calls.filter(({ route }) => route === INSTANT).map(({ headers }) => headers["idempotency-key"] as string);

describe("the balance", () => {
  it("shows what is available, on its way and held, in this order", async () => {
    renderApp("/account/payouts", ADA);
    const balance = await region("Balance");
    expect(balance.textContent).toBe(
      "BalanceAvailable$182.40On the way to your balance$67.50Held until your sessions take place$135.00",
    );
  });

  it("shows the debt", async () => {
    responses.set("GET /api/payouts/balance", {
      body: { ...BALANCE, debt: 2000, availableCents: 0, belowZeroCents: 1205 },
    });
    renderApp("/account/payouts", ADA);
    expect(
      await screen.findByText("A refund left your balance $12.05 below zero. Your next earnings cover it first."),
    ).toBeTruthy();
  });

  it("takes a debt off what is available", async () => {
    const available = [{ amount: 4050, currency: "usd" }];
    const balance = { ...BALANCE, balance: { ...BALANCE.balance, available }, debt: 4050, availableCents: 0 };
    responses.set("GET /api/payouts/balance", { body: balance });
    renderApp("/account/payouts", ADA);
    const card = within(await region("Balance"));
    expect(card.getByText("A refund of $40.50 is taken off here. Your next earnings cover it first.")).toBeTruthy();
    expect(card.getAllByRole("definition")[0]?.textContent).toBe("$0.00");
    expect(card.queryByText(/below zero/)).toBeNull();
  });

  it("fails alone and is loaded again", async () => {
    responses.set("GET /api/payouts/balance", { status: 500 });
    renderApp("/account/payouts", ADA);
    expect(await screen.findByText("Could not load your Stripe balance...")).toBeTruthy();
    expect(await screen.findByText("$123.45")).toBeTruthy();
    responses.set("GET /api/payouts/balance", { body: BALANCE });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await region("Balance")).toBeTruthy();
  });
});

describe("the instant payout", () => {
  it("is hidden while the flag is off", async () => {
    setFlag(false);
    renderApp("/account/payouts", ADA);
    await region("Balance");
    await region("Schedule");
    expect(screen.queryByRole("region", { name: "Instant payout" })).toBeNull();
  });

  it("is hidden without US dollars", async () => {
    const balance = { ...BALANCE.balance, instant_available: [{ amount: 999, currency: "eur" }] };
    responses.set("GET /api/payouts/balance", { body: { ...BALANCE, balance } });
    renderApp("/account/payouts", ADA);
    await region("Balance");
    expect(screen.queryByRole("region", { name: "Instant payout" })).toBeNull();
  });

  it("says in one sentence why it isn't possible", async () => {
    const reason = "Add a debit card in your Stripe dashboard to get paid in minutes.";
    responses.set("GET /api/payouts/balance", {
      body: { ...BALANCE, instant: { ...OFFER, eligible: false, reason } },
    });
    const { box } = await openInstantPayout();
    expect(box.getByText(reason)).toBeTruthy();
    expect(box.queryByRole("button")).toBeNull();
  });

  it("pays out everything, with fee and net shown before", async () => {
    responses.set(INSTANT, { body: { amountCents: 17_966, status: "in_transit" } });
    const { user, box } = await openInstantPayout();
    const terms = () => box.getAllByRole("definition").map((amount) => amount.textContent);
    expect(terms()).toEqual(["$179.66", "$2.74", "$182.40"]);
    expect(
      box.getByText(/You can get \$1\.00 to \$179\.66 right now\. The fee is 1\.5%, at least \$0\.50\.$/),
    ).toBeTruthy();
    setQuote(200, 50);
    await user.type(box.getByRole("spinbutton"), "2");
    expect(terms()).toEqual(["…", "…", "…"]);
    await waitFor(() => expect(terms()).toEqual(["$2.00", "$0.50", "$2.50"]));
    await user.clear(box.getByRole("spinbutton"));
    await user.click(box.getByRole("button", { name: "Pay out now" }));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Pay out $179.66 now?" }));
    expect(calls.some(({ route }) => route === INSTANT)).toBe(false);
    await user.click(dialog.getByRole("button", { name: "Confirm payout" }));
    expect(await screen.findByText("Instant payout submitted ($179.66). Status: in_transit")).toBeTruthy();
    expect(calls.find(({ route }) => route === INSTANT)?.body).toEqual({ totalCents: 18_240 });
  });

  it.each([
    ["25", 2500],
    ["1.005", 101],
  ])("sends %s dollars as %i cents", async (text, cents) => {
    responses.set(INSTANT, { body: { amountCents: cents, status: "pending" } });
    setQuote(cents, 50);
    const { user, box } = await openInstantPayout();
    const field = box.getByRole<HTMLInputElement>("spinbutton");
    expect([field.step, field.max]).toEqual(["0.01", ""]);
    await user.type(field, text);
    await confirmPayout(user);
    await screen.findByText(/^Instant payout submitted/);
    expect(calls.find(({ route }) => route === INSTANT)?.body).toEqual({
      amountCents: cents,
      totalCents: cents + 50,
    });
    expect(field.value).toBe("");
  });

  it("says at the field why the server refuses an amount", async () => {
    const message = "The smallest instant payout is $1.00.";
    responses.set(QUOTE, { status: 422, body: { code: "amount_too_small", message } });
    const { user, box } = await openInstantPayout();
    await user.type(box.getByRole("spinbutton"), "0.5");
    await user.click(box.getByRole("button", { name: "Pay out now" }));
    expect(await box.findByText(message)).toBeTruthy();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("asks for the quote again after a failure", async () => {
    responses.set(QUOTE, { status: 503, body: { code: "payments_away", message: "Please try again in a minute." } });
    const { user, box } = await openInstantPayout();
    await user.type(box.getByRole("spinbutton"), "2");
    expect(await box.findByText("Please try again in a minute.")).toBeTruthy();
    setQuote(200, 50);
    await user.click(box.getByRole("button", { name: "Pay out now" }));
    expect(await box.findByText("$2.50")).toBeTruthy();
    await confirmPayout(user);
    expect(calls.find(({ route }) => route === INSTANT)?.body).toEqual({ amountCents: 200, totalCents: 250 });
  });

  it("asks for a number", async () => {
    const { user, box } = await openInstantPayout();
    await user.type(box.getByRole("spinbutton"), "-5");
    await user.click(box.getByRole("button", { name: "Pay out now" }));
    expect(await screen.findByText("Enter an amount in dollars, such as 25 or 25.50, or leave it blank.")).toBeTruthy();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("shows the server's words, also of a 503, and keeps the key and the amount", async () => {
    const message = "Stripe does not answer at the moment. Please try again in a minute.";
    responses.set(INSTANT, { status: 503, body: { code: "payments_away", message } });
    setQuote(2000, 50);
    const { user, box } = await openInstantPayout();
    await user.type(box.getByRole("spinbutton"), "20");
    await confirmPayout(user);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(box.getByRole<HTMLInputElement>("spinbutton").value).toBe("20");
    responses.set(INSTANT, { body: { amountCents: 2000, status: "in_transit" } });
    await confirmPayout(user);
    await screen.findByText(/^Instant payout submitted \(\$20\.00\)/);
    expect(keys()[0]).toBeTruthy();
    expect(keys()[1]).toBe(keys()[0]);
  });

  it("uses a new key after a refusal and after a payout", async () => {
    responses.set(INSTANT, { status: 409, body: { code: "payout_refused" } });
    const { user } = await openInstantPayout();
    await confirmPayout(user);
    expect(await screen.findByText("Payout failed")).toBeTruthy();
    responses.set(INSTANT, { body: { amountCents: 100, status: "paid" } });
    await confirmPayout(user);
    await screen.findByText("Instant payout submitted ($1.00). Status: paid");
    await confirmPayout(user);
    await waitFor(() => expect(new Set(keys()).size).toBe(3));
  });

  it("has SPEC's words when no answer comes", async () => {
    const { user } = await openInstantPayout();
    const real = globalThis.fetch;
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) =>
      input.includes("/payouts/instant") ? Promise.reject(new TypeError("cut")) : real(input, init),
    );
    await confirmPayout(user);
    expect(await screen.findByText("An unexpected error occurred during the payout process.")).toBeTruthy();
    vi.stubGlobal("fetch", real);
  });
});

describe("the schedule", () => {
  it("is changed with the day that belongs to it", async () => {
    const weekly = { interval: "weekly", weekday: "friday", dayOfMonth: null };
    responses.set("PUT /api/payouts/schedule", { body: weekly });
    renderApp("/account/payouts", ADA);
    const schedule = within(await region("Schedule"));
    await userEvent.selectOptions(schedule.getByLabelText("Pay me"), "weekly");
    await userEvent.selectOptions(schedule.getByLabelText("On"), "friday");
    await userEvent.click(schedule.getByRole("button", { name: "Save schedule" }));
    expect(await screen.findByText("Payout schedule saved.")).toBeTruthy();
    expect(calls.find(({ route }) => route === "PUT /api/payouts/schedule")?.body).toEqual(weekly);
  });

  it("keeps the choice when saving fails", async () => {
    responses.set("PUT /api/payouts/schedule", { status: 500 });
    renderApp("/account/payouts", ADA);
    const schedule = within(await region("Schedule"));
    await userEvent.selectOptions(schedule.getByLabelText("Pay me"), "manual");
    await userEvent.click(schedule.getByRole("button", { name: "Save schedule" }));
    expect(await schedule.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(schedule.getByLabelText<HTMLSelectElement>("Pay me").value).toBe("manual");
  });
});

describe("the history", () => {
  it("says what became of each payout", async () => {
    const items = [
      PAYOUT,
      { ...PAYOUT, id: "p2", state: "failed", failureCode: "account_closed" },
      { ...PAYOUT, id: "p3", state: "failed", failureCode: "new_at_stripe" },
      { ...PAYOUT, id: "p4", state: "in_transit", method: "instant", feeCents: 185 },
    ];
    responses.set("GET /api/payouts", { body: { items, nextCursor: null } });
    renderApp("/account/payouts", ADA);
    const rows = within(await screen.findByRole("list", { name: "Payouts" })).getAllByRole("listitem");
    expect(rows.map((row) => row.textContent.replace("Nov 18, 2026", ""))).toEqual([
      "$123.45PaidAccount ending in 6789",
      "$123.45Failed: the bank account is closed. Update it in Stripe.Account ending in 6789",
      "$123.45Failed: your bank returned it. Check your bank account in Stripe.Account ending in 6789",
      "$123.45On its wayInstant · Fee $1.85 · Account ending in 6789 · Arrives Nov 20, 2026",
    ]);
  });

  it("has an empty state", async () => {
    responses.set("GET /api/payouts", { body: { items: [], nextCursor: null } });
    renderApp("/account/payouts", ADA);
    expect(
      await screen.findByText("No payouts yet. Your first one goes out after your first paid session."),
    ).toBeTruthy();
  });
});

describe("the page", () => {
  it("has its blocks in the order of the design", async () => {
    renderApp("/account/payouts", ADA);
    await region("History");
    await region("Schedule");
    await region("Instant payout");
    const names = ["Stripe", "Balance", "Instant payout", "Schedule", "History"];
    const headings = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
    expect(headings.filter((name) => names.includes(name))).toEqual(names);
    expect(screen.getAllByRole("button", { name: /^Open Stripe dashboard/ })).toHaveLength(1);
  });

  it("says that payments are not set up, without buttons", async () => {
    setFlag(true, false);
    renderApp("/account/payouts", ADA);
    expect(await screen.findByText("Payments are not set up on this site yet.")).toBeTruthy();
    expect(within(screen.getByRole("main")).queryByRole("button")).toBeNull();
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { CardPayments, StatementLine } from "./lib/types";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const LINE: StatementLine = {
  number: 7,
  at: "2026-11-20T18:00:00Z",
  event: "transferred",
  description: "Moved to your Stripe balance",
  reference: "transfer t1",
  amount: 6750,
  balanceAfter: 12_000,
};
const PAYOUT: StatementLine = {
  ...LINE,
  number: 6,
  event: "payout",
  description: "Payout to your bank",
  amount: -5000,
  balanceAfter: 5250,
};
const CARDS: CardPayments = { state: "ready", feeBps: 1000, feeMinimumCents: 50, minimumCents: 500 };
const STATEMENT = "GET /api/guru/statement";

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/card-payments", { body: CARDS });
  responses.set("GET /api/guru/disputes", { body: { disputes: [], nextCursor: null } });
  responses.set(STATEMENT, { body: { items: [LINE, PAYOUT], nextCursor: null } });
});

describe("the statement", () => {
  it("shows the lines with their signs and balances", async () => {
    renderApp("/guru/money", ADA);
    const table = within(await screen.findByRole("table", { name: "Stripe balance" }));
    const rows = table.getAllByRole("row").map((row) => row.textContent);
    expect(rows[1]).toMatch(/Moved to your Stripe balance\+\$67\.50Balance \$120\.00$/);
    expect(rows[2]).toMatch(/Payout to your bank-\$50\.00Balance \$52\.50$/);
  });

  it("loads more lines with the cursor", async () => {
    responses.set(`${STATEMENT}?account=stripe`, { body: { items: [LINE], nextCursor: "7" } });
    responses.set(`${STATEMENT}?account=stripe&cursor=7`, { body: { items: [PAYOUT], nextCursor: null } });
    renderApp("/guru/money", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByRole("rowheader", { name: "Payout to your bank" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("shows another account, and keeps the choice in the address", async () => {
    responses.set(`${STATEMENT}?account=held`, { body: { items: [], nextCursor: null } });
    const { router } = renderApp("/guru/money", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Held for sessions" }));
    expect(await screen.findByText("Nothing here yet")).toBeTruthy();
    expect(router.state.location.search).toBe("?account=held");
  });

  it("fails and is loaded again", async () => {
    responses.set(STATEMENT, { status: 500 });
    renderApp("/guru/money", ADA);
    expect(await screen.findByText("We couldn't load your statement")).toBeTruthy();
    responses.set(STATEMENT, { body: { items: [LINE], nextCursor: null } });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("table", { name: "Stripe balance" })).toBeTruthy();
  });

  it("is downloaded as CSV, or says why not", async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined });
    responses.set("GET /api/guru/statement.csv", { status: 500 });
    renderApp("/guru/money", ADA);
    const button = await screen.findByRole("button", { name: /^Export as CSV/ });
    await userEvent.click(button);
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    responses.set("GET /api/guru/statement.csv", { body: "a,b" });
    await userEvent.click(button);
    await waitFor(() => expect(saved).toEqual(["statement-stripe.csv"]));
    expect(calls.at(-1)?.route).toBe("GET /api/guru/statement.csv?account=stripe");
    vi.restoreAllMocks();
  });
});

describe("the fee in the service dialog", () => {
  beforeEach(() => responses.set("GET /api/guru/services", { body: { shown: true, services: [] } }));

  async function typePrice(price: string) {
    renderApp("/guru/services", ADA);
    const [button] = await screen.findAllByRole("button", { name: "Add a service" });
    if (button) await userEvent.click(button);
    await userEvent.type(await screen.findByLabelText("Price ($)"), price);
  }

  it.each([
    ["75", CARDS, "You get $67.50. Porchlight keeps $7.50 (10%)."],
    ["75", { ...CARDS, feeBps: 700 }, "You get $69.75. Porchlight keeps $5.25 (7%)."],
    ["5", CARDS, "You get $4.50. Porchlight keeps $0.50 (the smallest fee)."],
    ["2", CARDS, "Cards take prices from $5.00."],
  ])("of $%s", async (price, cards, text) => {
    responses.set("GET /api/guru/card-payments", { body: cards });
    await typePrice(price);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it.each([
    ["0", CARDS],
    ["75", { ...CARDS, state: "not_connected" as const }],
  ])("is not shown for $%s without a card", async (price, cards) => {
    responses.set("GET /api/guru/card-payments", { body: cards });
    await typePrice(price);
    await waitFor(() => expect(calls.some(({ route }) => route === "GET /api/guru/card-payments")).toBe(true));
    expect(screen.queryByText(/Porchlight keeps/)).toBeNull();
  });

  it("is shown for a service that is paid by card while the plan takes none", async () => {
    const service = { id: "s1", name: "Lesson", priceCents: 7500, currency: "USD", durationMinutes: 60, features: [] };
    responses.set("GET /api/guru/services", { body: { shown: true, services: [service] } });
    responses.set("GET /api/guru/services/s1/booking", { body: { payment: "full" } });
    responses.set("GET /api/guru/card-payments", { body: { ...CARDS, state: "plan_required" } });
    renderApp("/guru/services", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Edit Lesson" }));
    expect(await screen.findByText("You get $67.50. Porchlight keeps $7.50 (10%).")).toBeTruthy();
  });

  it("says that it couldn't be loaded", async () => {
    responses.set("GET /api/guru/card-payments", { status: 500 });
    await typePrice("75");
    expect(await screen.findByText("We couldn't load the fee.")).toBeTruthy();
  });
});

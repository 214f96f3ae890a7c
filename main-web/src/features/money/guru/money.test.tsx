import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { GuruFee, StatementLine } from "./lib/types";

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
const FEE: GuruFee = {
  plan: "skill-sharer",
  planName: "Skill Sharer",
  takesPayments: true,
  basisPoints: 1000,
  minimumCents: 50,
  keptCents: 750,
  netCents: 6750,
};
const STATEMENT = "GET /api/guru/statement";

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/fee", { body: FEE });
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
    ["75", FEE, "You get $67.50. Porchlight keeps $7.50 (10%)."],
    [
      "75",
      { ...FEE, basisPoints: 700, keptCents: 525, netCents: 6975 },
      "You get $69.75. Porchlight keeps $5.25 (7%).",
    ],
    ["2", { ...FEE, keptCents: 50, netCents: 150 }, "You get $1.50. Porchlight keeps $0.50 (the smallest fee)."],
    ["75", { ...FEE, takesPayments: false }, "With Skill Sharer, you get $67.50. Porchlight keeps $7.50 (10%)."],
  ])("of $%s", async (price, fee, text) => {
    responses.set("GET /api/guru/fee", { body: fee });
    await typePrice(price);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("asks the server about the price that was typed", async () => {
    await typePrice("75");
    const asked = () => calls.filter(({ route }) => route.startsWith("GET /api/guru/fee"));
    await waitFor(() => expect(asked().at(-1)?.route).toBe("GET /api/guru/fee?priceCents=7500"));
  });

  it("is not shown for what is no price", async () => {
    await typePrice("0");
    expect(screen.queryByText(/Porchlight keeps/)).toBeNull();
  });

  it("says that it couldn't be loaded", async () => {
    responses.set("GET /api/guru/fee", { status: 500 });
    await typePrice("75");
    expect(await screen.findByText("We couldn't load the fee.")).toBeTruthy();
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior } from "@/testing/admin/list-behavior";
import { MAYA } from "@/testing/admin/staff";
import type {
  Adjustment,
  Dispute,
  MoneyFinding,
  MoneyOverview,
  MoneySummary,
  StripeEvent,
  StripeWrite,
} from "../lib/types";

const { responses, calls } = apiServer();

const SUMMARY: MoneySummary = {
  reconciledAt: new Date(Date.now() - 12 * 60_000).toISOString(),
  centsOff: 0,
  accountsOff: 0,
  openFindings: 0,
  failedEvents: 0,
  openWrites: 0,
  waitingAdjustments: 0,
  openDisputes: 0,
};
const FINDING: MoneyFinding = {
  id: "f1",
  kind: "amount_differs",
  account: "acct_1",
  stripeId: "txn_1",
  cents: -1,
  state: "open",
  foundAt: "2026-11-20T09:00:00Z",
  note: "",
  explainedBy: "",
};
const EVENT: StripeEvent = {
  id: "evt_1",
  kind: "payout.failed",
  account: "acct_1",
  objectId: "po_1",
  state: "failed",
  tries: 8,
  error: "LookupError: no payout",
  receivedAt: "2026-11-20T09:00:00Z",
};
const WRITE: StripeWrite = {
  id: "w1",
  kind: "instant_payout",
  subjectId: "p1",
  attempt: 1,
  account: "acct_1",
  state: "unknown",
  tries: 3,
  objectId: "",
  errorCode: "TimeoutError",
  errorMessage: "",
  createdAt: "2026-11-20T09:00:00Z",
  dueAt: "2026-11-20T09:15:00Z",
};
const ADJUSTMENT: Adjustment = {
  id: "a1",
  kind: "write_off",
  person: "rosa@mail.example",
  cents: 10_001,
  reason: "Refunded after a flood",
  state: "requested",
  requestedBy: "Nell",
  requestedAt: "2026-11-20T09:00:00Z",
  decidedBy: "",
  decidedAt: null,
};
const DISPUTE: Dispute = {
  id: "d1",
  kind: "session",
  stripeId: "du_1",
  person: "rosa@mail.example",
  guru: "ada",
  cents: 900,
  feeCents: 1500,
  reason: "fraudulent",
  state: "open",
  dueBy: "2026-11-27T09:00:00Z",
  openedAt: "2026-11-20T09:00:00Z",
  isAnswered: false,
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
  stuckTransfers: { count: 0, cents: 0 },
};
const MONEY = "/api/admin/money";
const EXPLAIN = `PUT ${MONEY}/findings/f1/explanation`;
const RETRY = `POST ${MONEY}/events/evt_1/retries`;
const DECIDE = `PUT ${MONEY}/adjustments/a1/decision`;
const page = (items: unknown[]) => ({ body: { items, nextCursor: null } });

beforeAll(() => Promise.all([import("@/features/admin/components/admin-layout"), import("./money-page")]), 60_000);

beforeEach(() => {
  responses.set("GET /api/admin/ping", { body: MAYA });
  responses.set(`GET ${MONEY}`, { body: SUMMARY });
  responses.set(`GET ${MONEY}/overview`, { body: OVERVIEW });
  responses.set(`GET ${MONEY}/findings`, page([FINDING]));
  responses.set(`GET ${MONEY}/events`, page([EVENT]));
  responses.set(`GET ${MONEY}/outbox`, page([WRITE]));
  responses.set(`GET ${MONEY}/adjustments`, page([ADJUSTMENT]));
});

describe("the state of the books", () => {
  it.each([
    [{}, "Matches Stripe to the cent - 12 min ago"],
    [{ centsOff: 1, accountsOff: 1 }, "Off by $0.01 in 1 account - 12 min ago"],
  ])("with %o", async (changes, text) => {
    responses.set(`GET ${MONEY}`, { body: { ...SUMMARY, ...changes } });
    renderApp("/admin/money");
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("fails alone and is loaded again", async () => {
    responses.set(`GET ${MONEY}`, { status: 500 });
    renderApp("/admin/money");
    expect(await screen.findByText("We couldn't load the state of the books")).toBeTruthy();
    expect(await screen.findByRole("link", { name: "Held for sessions" })).toBeTruthy();
    responses.set(`GET ${MONEY}`, { body: SUMMARY });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/^Matches Stripe/)).toBeTruthy();
  });
});

describe("the findings", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin/money?tab=findings",
    path: `${MONEY}/findings`,
    label: "Findings",
    items: [FINDING, { ...FINDING, id: "f2", kind: "missing_at_stripe" }],
    names: [/Amounts differ/, /Missing at Stripe/],
    errorTitle: "We couldn't load the findings",
    empty: "No open findings.",
  });

  it("show their cents and are explained with a note", async () => {
    responses.set(EXPLAIN, { body: { ...FINDING, state: "explained" } });
    renderApp("/admin/money?tab=findings");
    const row = (await screen.findByRole("button", { name: "Amounts differ" })).closest("tr");
    expect(row?.textContent).toContain("-$0.01");
    await userEvent.click(screen.getByRole("button", { name: "Amounts differ" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Mark as explained" }));
    expect(await dialog.findByText("Please enter a reason.")).toBeTruthy();
    await userEvent.type(dialog.getByLabelText("Reason"), "Stripe rounded the fee");
    await userEvent.click(dialog.getByRole("button", { name: "Mark as explained" }));
    expect(await screen.findByText("Saved. The finding is explained.")).toBeTruthy();
    expect(calls.find(({ route }) => route === EXPLAIN)?.body).toEqual({ note: "Stripe rounded the fee" });
  });
});

describe("a refund or a transfer that failed", () => {
  it.each([
    ["failed_refund", "Refund that failed", `POST ${MONEY}/refunds/r1/retries`],
    ["stuck_transfer", "Transfer that is stuck", `POST ${MONEY}/transfers/r1/retries`],
  ])("is sent again: %s", async (kind, name, route) => {
    responses.set(`GET ${MONEY}/findings`, page([{ ...FINDING, kind, stripeId: "r1" }]));
    responses.set(route, { status: 500 });
    renderApp("/admin/money?tab=findings");
    await userEvent.click(await screen.findByRole("button", { name }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Send again" }));
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    responses.set(route, { status: 204 });
    await userEvent.click(dialog.getByRole("button", { name: "Send again" }));
    expect(await screen.findByText("Sent again. The finding goes away once it has worked.")).toBeTruthy();
    expect(calls.filter((call) => call.route === route)).toHaveLength(2);
  });
});

describe("a failed event", () => {
  it("is a finding that leads to where it runs again", async () => {
    responses.set(`GET ${MONEY}/findings`, page([{ ...FINDING, kind: "failed_event", stripeId: "evt_1", cents: 0 }]));
    renderApp("/admin/money?tab=findings");
    await userEvent.click(await screen.findByRole("button", { name: "Event that failed" }));
    await userEvent.click(await screen.findByRole("link", { name: "Run it again" }));
    expect(await screen.findByRole("button", { name: "Run again: evt_1" })).toBeTruthy();
  });
});

describe("the disputes", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin/money?tab=disputes",
    path: `${MONEY}/disputes`,
    label: "Disputes",
    items: [DISPUTE, { ...DISPUTE, id: "d2", reason: "duplicate" }],
    names: [/Fraudulent/, /Duplicate/],
    errorTitle: "We couldn't load the disputes",
    empty: "No open disputes.",
  });

  it("show the amount, the fee and who paid", async () => {
    responses.set(`GET ${MONEY}/disputes`, page([DISPUTE]));
    renderApp("/admin/money?tab=disputes");
    const row = (await screen.findByRole("rowheader", { name: /Fraudulent/ })).closest("tr");
    expect(row?.textContent).toContain("rosa@mail.example");
    expect(row?.textContent).toContain("$9.00, fee $15.00");
    expect(row?.textContent).toContain("Needs evidence");
  });
});

describe("the queues", () => {
  it("run a failed event again", async () => {
    responses.set(RETRY, { body: { ...EVENT, state: "new" } });
    renderApp("/admin/money?tab=events");
    await userEvent.click(await screen.findByRole("button", { name: "Run again: evt_1" }));
    expect(await screen.findByText("The event runs again.")).toBeTruthy();
  });

  it("say that running again failed", async () => {
    responses.set(RETRY, { status: 500 });
    renderApp("/admin/money?tab=events");
    await userEvent.click(await screen.findByRole("button", { name: "Run again: evt_1" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
  });

  it("list writes without an outcome", async () => {
    renderApp("/admin/money?tab=outbox");
    const table = within(await screen.findByRole("table", { name: "Writes to Stripe" }));
    expect(table.getByRole("rowheader", { name: "Instant payout" })).toBeTruthy();
    expect(table.getByText("Outcome unknown")).toBeTruthy();
    expect(calls.some(({ route }) => route === `GET ${MONEY}/outbox`)).toBe(true);
  });
});

describe("the adjustments", () => {
  it("are approved after a question", async () => {
    responses.set(DECIDE, { body: { ...ADJUSTMENT, state: "posted" } });
    renderApp("/admin/money?tab=adjustments");
    await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/\$100\.01/)).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Approve and post" }));
    expect(await screen.findByText("Approved and posted.")).toBeTruthy();
    expect(calls.find(({ route }) => route === DECIDE)?.body).toEqual({ approve: true });
  });

  it("need a second person", async () => {
    const message = "Someone else has to approve this, signed in with an admin key in their own name.";
    responses.set(DECIDE, { status: 409, body: { code: "approval_required", message } });
    renderApp("/admin/money?tab=adjustments");
    await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
    await userEvent.click(await screen.findByRole("button", { name: "Approve and post" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(await dialog.findByText(message)).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Reject" }));
    expect(within(await screen.findByRole("alertdialog")).queryByText(message)).toBeNull();
  });

  it("are requested in cents, and an unknown person is shown at the field", async () => {
    const CREATE = `POST ${MONEY}/adjustments`;
    const email = "No one on Porchlight has this email address.";
    responses.set(CREATE, { status: 422, body: { code: "invalid", message: "Check it.", fields: { email } } });
    renderApp("/admin/money?tab=adjustments");
    await userEvent.click(await screen.findByRole("button", { name: "Request an adjustment" }));
    const dialog = within(await screen.findByRole("dialog"));
    const send = () => userEvent.click(dialog.getByRole("button", { name: "Request adjustment" }));
    await send();
    expect(await dialog.findByText("Enter an amount above $0, such as 12.50.")).toBeTruthy();
    expect(calls.some(({ route }) => route === CREATE)).toBe(false);
    await userEvent.type(dialog.getByLabelText("Their email address"), "rosa@mail.example");
    await userEvent.type(dialog.getByLabelText("Amount ($)"), "12.5");
    await userEvent.type(dialog.getByLabelText("Reason"), "A flood");
    await send();
    expect(await dialog.findByText(email)).toBeTruthy();
    responses.set(CREATE, { status: 201, body: { ...ADJUSTMENT, cents: 1250, state: "posted" } });
    await send();
    expect(await screen.findByText("Posted.")).toBeTruthy();
    const sent = calls.filter(({ route }) => route === CREATE).at(-1);
    expect(sent?.body).toEqual({ kind: "write_off", email: "rosa@mail.example", cents: 1250, reason: "A flood" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

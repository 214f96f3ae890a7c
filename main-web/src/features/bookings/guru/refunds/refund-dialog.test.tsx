import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { BOOKING, GURU } from "../lib/booking-fixtures";
import type { GuruBookingDetails } from "../lib/types";

const { responses, calls } = apiServer();
const PREVIEW = "GET /api/guru/bookings/b1/refunds/preview";
const REFUND = "POST /api/guru/bookings/b1/refunds";
const PAID: GuruBookingDetails = {
  ...BOOKING,
  status: "completed",
  personName: "Alex Long",
  canAnswer: false,
  payment: {
    mode: "full",
    state: "paid",
    amountCents: 4501,
    refundedCents: 0,
    feeCents: 450,
    shareCents: 4051,
    keptCents: 4501,
    disputed: false,
    disputeId: null,
    refunds: [],
    deliveredAt: null,
  },
};

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/bookings/b1", { body: PAID });
  responses.set("GET /api/guru/package-grants?bookingId=b1", { body: { grants: [], nextCursor: null } });
  responses.set(`${PREVIEW}?amountCents=2000`, {
    body: { amountCents: 2000, shareCents: 1800, feeCents: 200, keptCents: 4501 },
  });
  responses.set(`${PREVIEW}?amountCents=2250`, {
    body: { amountCents: 2250, shareCents: 2025, feeCents: 225, keptCents: 4501 },
  });
});

async function open() {
  renderApp("/guru/calendar?booking=b1", ADA);
  await userEvent.click(await screen.findByRole("button", { name: "Refund Alex Long" }));
  return within(await screen.findByRole("dialog", { name: "Refund Alex Long" }));
}

describe("the refund dialog", () => {
  it("shows whose cents they are, and sends what was seen", async () => {
    const dialog = await open();
    await userEvent.type(dialog.getByLabelText("Amount ($)"), "20.00");
    expect(
      await dialog.findByText("Alex Long gets $20.00 back. $18.00 comes from you, $2.00 from Porchlight."),
    ).toBeTruthy();
    await userEvent.type(dialog.getByLabelText(/A note to Alex Long/), "Sorry!");
    responses.set(REFUND, { status: 201, body: PAID });
    await userEvent.click(dialog.getByRole("button", { name: "Refund $20.00" }));
    expect(await screen.findByText("$20.00 is on its way to Alex Long.")).toBeTruthy();
    const sent = calls.find(({ route }) => route === REFUND);
    expect(sent?.body).toEqual({ amountCents: 2000, keptCents: 4501, words: "Sorry!" });
  });

  it("fills in half", async () => {
    const dialog = await open();
    await userEvent.click(dialog.getByRole("button", { name: "Half ($22.50)" }));
    expect(await dialog.findByText(/\$20\.25 comes from you, \$2\.25 from Porchlight\./)).toBeTruthy();
  });

  it.each([
    ["45.02", "You can return up to $45.01."],
    ["0", "Enter more than $0."],
    ["1.005", "Enter an amount, such as 20 or 12.50."],
    ["-5", "Enter an amount, such as 20 or 12.50."],
  ])("refuses %s", async (typed, problem) => {
    const dialog = await open();
    await userEvent.type(dialog.getByLabelText("Amount ($)"), typed);
    await userEvent.click(dialog.getByRole("button", { name: "Refund" }));
    expect(await dialog.findByText(problem)).toBeTruthy();
    expect(calls.some(({ route }) => route === REFUND)).toBe(false);
  });

  it("keeps what was typed when the server refuses", async () => {
    const dialog = await open();
    await userEvent.type(dialog.getByLabelText("Amount ($)"), "20");
    const message = "The refund amount has changed. Check it and confirm again.";
    responses.set(REFUND, { status: 409, body: { code: "refund_changed", message } });
    await userEvent.click(dialog.getByRole("button", { name: "Refund $20.00" }));
    expect(await dialog.findByText(message)).toBeTruthy();
    expect(dialog.getByLabelText("Amount ($)")).toHaveProperty("value", "20");
  });
});

it("shows refunds and the bank's question, and offers no refund meanwhile", async () => {
  const refund = { amountCents: 500, shareCents: 450, feeCents: 50, actor: "guru", createdAt: "2026-11-20T18:00:00Z" };
  const payment = { ...PAID.payment, disputed: true, disputeId: "d1", refunds: [{ ...refund, state: "failed" }] };
  responses.set("GET /api/guru/bookings/b1", { body: { ...PAID, payment } });
  renderApp("/guru/calendar?booking=b1", ADA);
  expect(await screen.findByText(/^\$5\.00 on .*, sent back by the bank\. We're on it\.$/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "See what the bank asks" }).getAttribute("href")).toBe(
    "/guru/money?dispute=d1",
  );
  expect(screen.queryByRole("button", { name: "Refund Alex Long" })).toBeNull();
});

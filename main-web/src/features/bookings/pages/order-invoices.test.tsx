import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Invoice, OrderInvoices } from "../api/get-order-invoices";
import type { Order } from "../api/get-orders";

const { responses, calls } = apiServer();
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
const COMPANY = { name: "Acme Inc.", address: "1 Main St", taxId: "12-3456789" };
const INVOICE: Invoice = {
  id: "i1",
  number: "2026-0007",
  kind: "invoice",
  corrects: null,
  issuedOn: "2026-11-20",
  buyer: COMPANY,
  serviceName: "Knife Skills",
  amountCents: 7500,
};
const INVOICES = "GET /api/orders/p1/invoices";
const CREATE = "POST /api/orders/p1/invoices";
const data = (invoices: Invoice[], company = COMPANY): OrderInvoices => ({ company, invoices });

beforeEach(() => {
  responses.set("GET /api/orders", { body: { orders: [ORDER], nextCursor: null } });
  responses.set(INVOICES, { body: data([]) });
});

async function open() {
  renderApp("/account/orders", ADA);
  await userEvent.click(await screen.findByRole("button", { name: "Invoice for Knife Skills with Chef Guru" }));
  return within(await screen.findByRole("dialog"));
}

it("remembers the company and gets an invoice for it", async () => {
  responses.set(CREATE, { status: 201, body: data([INVOICE]) });
  const dialog = await open();
  expect((await dialog.findByLabelText<HTMLInputElement>("Company name")).value).toBe("Acme Inc.");
  await userEvent.click(dialog.getByRole("button", { name: "Get invoice" }));
  expect(await dialog.findByText("Invoice 2026-0007 is ready.")).toBeTruthy();
  const link = dialog.getByRole("link", { name: "Invoice 2026-0007" });
  expect(link.getAttribute("href")).toBe("/api/invoices/i1/invoice.pdf");
  expect(calls.at(-1)?.body).toEqual(COMPANY);
});

it("says what is missing and keeps what was typed after an error", async () => {
  responses.set(INVOICES, { body: data([], { name: "", address: "", taxId: "" }) });
  responses.set(CREATE, { status: 500 });
  const dialog = await open();
  await userEvent.type(await dialog.findByLabelText("Address"), "1 Main St");
  await userEvent.click(dialog.getByRole("button", { name: "Get invoice" }));
  expect(await dialog.findByText("Enter the company's name.")).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText("Company name"));
  await userEvent.type(dialog.getByLabelText("Company name"), "Acme Inc.");
  await userEvent.click(dialog.getByRole("button", { name: "Get invoice" }));
  expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLTextAreaElement>("Address").value).toBe("1 Main St");
});

it("says a refusal of the server in its words", async () => {
  const message = "You got all of this payment back, so there is nothing to invoice.";
  responses.set(CREATE, { status: 409, body: { code: "nothing_to_invoice", message } });
  const dialog = await open();
  await userEvent.click(await dialog.findByRole("button", { name: "Get invoice" }));
  expect(await dialog.findByText(message)).toBeTruthy();
});

it("lists corrections and credit notes, and says when nothing is new", async () => {
  const other = { name: "Other LLC", address: "2 Main St", taxId: "" };
  const correction: Invoice = { ...INVOICE, id: "i2", number: "2026-0008", kind: "correction", corrects: "2026-0007" };
  const credit: Invoice = { ...correction, id: "i3", number: "2026-0009", kind: "credit_note", corrects: "2026-0008" };
  const issued = data([credit, { ...correction, buyer: other }, INVOICE]);
  responses.set(INVOICES, { body: issued });
  responses.set(CREATE, { status: 201, body: issued });
  const dialog = await open();
  const rows = within(await dialog.findByRole("list", { name: "Invoices" })).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual([
    "Credit note 2026-0009-$75.00, Acme Inc., Nov 20, 2026, for 2026-0008",
    "Corrected invoice 2026-0008$75.00, Other LLC, Nov 20, 2026, replaces 2026-0007",
    "Invoice 2026-0007$75.00, Acme Inc., Nov 20, 2026",
  ]);
  expect(dialog.getByLabelText<HTMLInputElement>("Company name").value).toBe("Other LLC");
  await userEvent.click(dialog.getByRole("button", { name: "Update invoice" }));
  expect(await dialog.findByText("You have this invoice already.")).toBeTruthy();
});

it("fails and is loaded again", async () => {
  responses.set(INVOICES, { status: 500 });
  const dialog = await open();
  expect(await dialog.findByText("We couldn't load your invoices")).toBeTruthy();
  responses.set(INVOICES, { body: data([INVOICE]) });
  await userEvent.click(dialog.getByRole("button", { name: "Try again" }));
  expect(await dialog.findByRole("link", { name: "Invoice 2026-0007" })).toBeTruthy();
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { Invoice, InvoiceParty, YearStatement, YearTotals } from "./lib/types";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const NOTHING: YearTotals = {
  paid: 0,
  refunds: 0,
  disputes: 0,
  tips: 0,
  other: 0,
  fees: 0,
  earned: 0,
  paidOut: 0,
};
const JANUARY: YearTotals = { ...NOTHING, paid: 7500, refunds: -3750, fees: -375, earned: 3375, paidOut: 1000 };
const YEAR: YearStatement = {
  year: 2026,
  years: [2026, 2025],
  zone: "America/Denver",
  months: [JANUARY, ...Array.from({ length: 11 }, () => NOTHING)],
  total: JANUARY,
};
const DETAILS: InvoiceParty = { name: "Ada Lovelace", address: "9 Elm St\nDenver", taxId: "98-7654321" };
const INVOICE: Invoice = {
  id: "i1",
  number: "2026-0007",
  kind: "invoice",
  corrects: null,
  issuedOn: "2026-11-20",
  buyer: { name: "Acme Inc.", address: "1 Main St", taxId: "" },
  serviceName: "Knife Skills",
  amountCents: 7500,
};
const STATEMENT = "GET /api/guru/year-statement";
const SAVE = "PUT /api/guru/invoice-details";

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set(STATEMENT, { body: YEAR });
  responses.set("GET /api/guru/invoices", { body: { items: [INVOICE], nextCursor: null } });
  responses.set("GET /api/guru/disputes", { body: { disputes: [], nextCursor: null } });
  responses.set("GET /api/guru/invoice-details", { body: DETAILS });
});

function watchDownloads(): string[] {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined });
  return saved;
}

describe("the year", () => {
  it("shows the months with money, the columns that have any, and says cash basis", async () => {
    renderApp("/guru/money?tab=year", ADA);
    const table = within(await screen.findByRole("table", { name: "Year 2026" }));
    expect(table.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
      "Month",
      "Paid by people",
      "Refunds",
      "Fees",
      "Net earned",
      "Paid out",
    ]);
    const rows = table.getAllByRole("row").map((row) => row.textContent);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^January.*\$75\.00.*-\$37\.50.*-\$3\.75.*\$33\.75.*\$10\.00$/);
    expect(screen.getByText(/Cash basis/).textContent).toContain("no tax advice");
  });

  it("shows another year, and keeps the choice in the address", async () => {
    responses.set(`${STATEMENT}?year=2025`, { body: { ...YEAR, year: 2025 } });
    const { router } = renderApp("/guru/money?tab=year", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "2025" }));
    expect(await screen.findByRole("table", { name: "Year 2025" })).toBeTruthy();
    expect(router.state.location.search).toBe("?tab=year&year=2025");
  });

  it("is empty before the first payment", async () => {
    responses.set(STATEMENT, { body: { ...YEAR, years: [] } });
    renderApp("/guru/money?tab=year", ADA);
    expect(await screen.findByText("No money yet")).toBeTruthy();
  });

  it("fails and is loaded again", async () => {
    responses.set(STATEMENT, { status: 500 });
    renderApp("/guru/money?tab=year", ADA);
    expect(await screen.findByText("We couldn't load your year")).toBeTruthy();
    responses.set(STATEMENT, { body: YEAR });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("table", { name: "Year 2026" })).toBeTruthy();
  });

  it("is downloaded as PDF and CSV, or says why not", async () => {
    const saved = watchDownloads();
    responses.set("GET /api/guru/year-statement.pdf", { status: 500 });
    renderApp("/guru/money?tab=year", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "2026 as PDF" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    responses.set("GET /api/guru/year-statement.pdf", { body: "%PDF" });
    await userEvent.click(screen.getByRole("button", { name: "2026 as PDF" }));
    responses.set("GET /api/guru/year-statement.csv", { body: "a,b" });
    await userEvent.click(screen.getByRole("button", { name: "Every transaction as CSV" }));
    await waitFor(() => expect(saved).toEqual(["year-2026.pdf", "year-2026.csv"]));
    expect(calls.at(-1)?.route).toBe("GET /api/guru/year-statement.csv?year=2026");
    vi.restoreAllMocks();
  });
});

describe("the invoices", () => {
  it("show number, company and amount, and are downloaded", async () => {
    const saved = watchDownloads();
    const credit: Invoice = { ...INVOICE, id: "i2", number: "2026-0008", kind: "credit_note", corrects: "2026-0007" };
    responses.set("GET /api/guru/invoices", { body: { items: [credit, INVOICE], nextCursor: null } });
    renderApp("/guru/money?tab=invoices", ADA);
    const list = within(await screen.findByRole("list", { name: "Invoices" }));
    const [first, second] = list.getAllByRole("listitem").map((row) => row.textContent);
    expect(first).toMatch(/Credit note 2026-0008.*Acme Inc\..*-\$75\.00.*for 2026-0007/);
    expect(second).toMatch(/Invoice 2026-0007.*Knife Skills.*\$75\.00.*Nov 20, 2026/);
    responses.set("GET /api/guru/invoices/i1/invoice.pdf", { body: "%PDF" });
    await userEvent.click(list.getByRole("button", { name: "PDF of 2026-0007" }));
    await waitFor(() => expect(saved).toEqual(["invoice-2026-0007.pdf"]));
    vi.restoreAllMocks();
  });

  it("are empty, fail, and are loaded again", async () => {
    responses.set("GET /api/guru/invoices", { status: 500 });
    renderApp("/guru/money?tab=invoices", ADA);
    expect(await screen.findByText("We couldn't load your invoices")).toBeTruthy();
    responses.set("GET /api/guru/invoices", { body: { items: [], nextCursor: null } });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("No invoices yet")).toBeTruthy();
  });

  it("say about the guru what the guru saves; a failed save keeps what was typed", async () => {
    responses.set(SAVE, { status: 500 });
    renderApp("/guru/money?tab=invoices", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Edit details" }));
    const dialog = within(await screen.findByRole("dialog"));
    const name = dialog.getByLabelText("Legal name");
    await userEvent.clear(name);
    await userEvent.type(name, "Ada King");
    await userEvent.click(dialog.getByRole("button", { name: "Save details" }));
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    expect((name as HTMLInputElement).value).toBe("Ada King");
    responses.set(SAVE, { body: { ...DETAILS, name: "Ada King" } });
    await userEvent.click(dialog.getByRole("button", { name: "Save details" }));
    expect(await screen.findByText(/^Ada King/)).toBeTruthy();
    expect(calls.at(-1)?.body).toEqual({ ...DETAILS, name: "Ada King" });
  });

  it("wait for the details", async () => {
    const held = heldResponse(DETAILS);
    responses.set("GET /api/guru/invoice-details", held.responder);
    renderApp("/guru/money?tab=invoices", ADA);
    expect(await screen.findByRole("heading", { name: "Invoice details" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Edit details" })).toBeNull();
    held.release();
    expect(await screen.findByRole("button", { name: "Edit details" })).toBeTruthy();
  });
});

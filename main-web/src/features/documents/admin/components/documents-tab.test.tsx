import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { SHARED_KEY } from "@/testing/admin/staff";
import type { AdminDocument } from "../api/get-pending-documents";

const { responses, calls } = apiServer();

const PAPER: AdminDocument = {
  id: "d1",
  uid: "u7",
  type: "license",
  category: "electrical",
  category_name: "Electrical",
  provider: "",
  number: "",
  issued_on: null,
  expires_on: null,
  file_url: "https://files.example/license.pdf",
  file_name: "",
  file_kind: "",
  status: "pending",
  reason: "",
  created_at: "2026-10-03T09:00:00Z",
  reviewed_at: null,
  owner_name: "Ada Alvarez",
  reviewed_before: 2,
};
const STATUS = "POST /api/documents/u7/d1/status";

// Import before the first test's timeout starts.
beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
      import("./documents-tab"),
    ]),
  60_000,
);

beforeEach(() => {
  responses.set("GET /api/admin/ping", { body: SHARED_KEY });
  responses.set("GET /api/documents/pending", { body: { pending: [PAPER], nextCursor: null } });
});

async function open() {
  renderApp("/admin?tab=documents");
  const card = await screen.findByRole("article");
  return { card, user: userEvent.setup() };
}

describe("document review (SPEC 2.12)", () => {
  it("shows type, category, user id and document", async () => {
    const { card, user } = await open();
    expect(within(card).getByRole("heading").textContent).toBe("license (electrical)");
    expect(within(card).getAllByText("Not specified").length).toBeGreaterThanOrEqual(2);
    expect(within(card).getByText("u7")).toBeTruthy();
    const link = within(card).getByRole("link", { name: "View Document" });
    expect([link.getAttribute("href"), link.getAttribute("target")]).toEqual([PAPER.file_url, "_blank"]);
    responses.set("POST /api/documents/u7/d1/openings", { body: {} });
    await user.click(link);
    await waitFor(() => expect(calls.some(({ route }) => route === "POST /api/documents/u7/d1/openings")).toBe(true));
  });

  it("approves and reloads the list", async () => {
    const { card, user } = await open();
    responses.set(STATUS, { body: {} });
    responses.set("GET /api/documents/pending", { body: { pending: [], nextCursor: null } });
    await user.click(within(card).getByRole("button", { name: "Approve" }));
    expect(await screen.findByText("No pending documents for review")).toBeTruthy();
    expect(calls.find(({ route }) => route === STATUS)?.body).toEqual({ status: "approved", reason: "" });
  });

  it("asks for an optional reason before rejecting", async () => {
    const { card, user } = await open();
    responses.set(STATUS, { body: {} });
    await user.click(within(card).getByRole("button", { name: "Reject" }));
    const reason = within(card).getByLabelText("Reason for rejection (optional):");
    expect(document.activeElement).toBe(reason);
    await user.click(within(card).getByRole("button", { name: "Reject document" }));
    await waitFor(() =>
      expect(calls.find(({ route }) => route === STATUS)?.body).toEqual({ status: "rejected", reason: "" }),
    );
  });

  it("shows SPEC 8.4's error and keeps the reason", async () => {
    const { card, user } = await open();
    responses.set(STATUS, {
      status: 409,
      body: { code: "already_decided", message: "Someone else has already reviewed it." },
    });
    await user.click(within(card).getByRole("button", { name: "Reject" }));
    await user.type(within(card).getByLabelText("Reason for rejection (optional):"), "Blurred");
    await user.click(within(card).getByRole("button", { name: "Reject document" }));
    expect((await within(card).findByRole("alert")).textContent).toContain("Failed to update document status");
    expect(within(card).getByLabelText<HTMLTextAreaElement>("Reason for rejection (optional):").value).toBe("Blurred");
    const away = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network"));
    await user.click(within(card).getByRole("button", { name: "Reject document" }));
    await waitFor(() =>
      expect(within(card).getByRole("alert").textContent).toContain("Error updating document status"),
    );
    away.mockRestore();
  });

  it("only logs when the list cannot be loaded (SPEC 8.4)", async () => {
    const log = vi.spyOn(console, "warn").mockReturnValue(undefined);
    responses.set("GET /api/documents/pending", { status: 500, body: {} });
    renderApp("/admin?tab=documents");
    await waitFor(() => expect(log.mock.calls.some(([text]) => String(text).includes("Pending documents"))).toBe(true));
    expect(screen.getByRole("button", { name: "Refresh Pending Documents" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    log.mockRestore();
  });

  it("never links an invalid URL", async () => {
    responses.set("GET /api/documents/pending", {
      body: { pending: [{ ...PAPER, file_url: "data:text/html,x" }], nextCursor: null },
    });
    const { card } = await open();
    expect(within(card).getByRole("link", { name: "View Document" }).getAttribute("href")).toBe("#");
  });

  it("offers no approval without something to look at", async () => {
    responses.set("GET /api/documents/pending", { body: { pending: [{ ...PAPER, file_url: "" }], nextCursor: null } });
    const { card } = await open();
    expect(within(card).getByRole("button", { name: "Reject" })).toBeTruthy();
    expect(within(card).queryByRole("button", { name: "Approve" })).toBeNull();
  });
});

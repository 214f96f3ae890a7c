import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior, testSearch } from "@/testing/admin/list-behavior";
import type { AuditRow } from "../../lib/types";

const { responses, calls } = apiServer();

const ACT: AuditRow = {
  id: 812,
  at: "2026-10-03T09:00:00Z",
  actor: "key-1a2b3c4d",
  action: "site.suspend",
  subjectKind: "site",
  subjectId: "bakery",
  details: { reason: "Fraud", note: "" },
};
const STATE = "GET /api/admin/audit/state";

beforeAll(() => Promise.all([import("../../components/admin-layout"), import("./audit-page")]), 60_000);

describe("the audit log", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin/audit",
    path: "/api/admin/audit",
    label: "Actions",
    items: [ACT, { ...ACT, id: 811, actor: "Maya Lindqvist", action: "admin.login", subjectId: "", details: {} }],
    names: [/site\.suspend/, /admin\.login/],
    errorTitle: "We couldn't load the audit log",
    empty: "No entries yet.",
  });

  it("shows actor, subject and reason, and filters", async () => {
    renderApp("/admin/audit");
    const table = await screen.findByRole("table", { name: "Actions" });
    expect(within(table).getByText("site bakery")).toBeTruthy();
    expect(within(table).getByText("reason: Fraud")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await within(table).findByRole("button", { name: "Maya Lindqvist" })).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Actions" }), "Listings");
    await waitFor(() => expect(calls.some(({ route }) => route.includes("action=listing"))).toBe(true));
    for (const [label, area] of [
      ["Sessions", "session"],
      ["Waivers", "waiver"],
    ] as const) {
      await userEvent.selectOptions(screen.getByRole("combobox", { name: "Actions" }), label);
      await waitFor(() => expect(calls.some(({ route }) => route.includes(`action=${area}`))).toBe(true));
    }
    await testSearch("Subject (exact match)", "bakery", () =>
      calls.some(({ route }) => route.includes("subject=bakery")),
    );
    await userEvent.click(within(screen.getByRole("table")).getByRole("button", { name: "Shared key key-1a2b3c4d" }));
    await waitFor(() => expect(calls.some(({ route }) => route.includes("actor=key-1a2b3c4d"))).toBe(true));
  });

  it("verifies only on demand, and shows errors", async () => {
    renderApp("/admin/audit");
    await screen.findByRole("table", { name: "Actions" });
    expect(calls.some(({ route }) => route === STATE)).toBe(false);
    responses.set(STATE, { body: { whole: true, entries: 812, fault: null } });
    await userEvent.click(screen.getByRole("button", { name: "Verify audit log" }));
    expect(await screen.findByText("Audit log verified: 812 entries intact.")).toBeTruthy();
    const message = "The audit log was tampered with: the signature of entry 7 is invalid.";
    responses.set(STATE, { body: { whole: false, entries: 812, fault: message } });
    await userEvent.click(screen.getByRole("button", { name: "Verify audit log" }));
    expect(await screen.findByText(message)).toBeTruthy();
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "../../testing/api-server";
import { renderApp } from "../../testing/render-app";
import { behavesAsAList, searchesFor } from "./list-journeys";
import type { AuditRow } from "./types";

const { answers, calls } = apiServer();

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

beforeAll(() => Promise.all([import("./admin-frame"), import("./audit-page")]), 60_000);

describe("the audit log", () => {
  behavesAsAList({
    answers,
    calls,
    at: "/admin/audit",
    path: "/api/admin/audit",
    label: "Acts",
    items: [ACT, { ...ACT, id: 811, action: "admin.login", subjectId: "", details: {} }],
    names: [/site\.suspend/, /admin\.login/],
    trouble: "The audit log could not be loaded",
    empty: "Nothing has been done yet.",
  });

  it("shows what was done to whom and why, and narrows down", async () => {
    renderApp("/admin/audit");
    const table = await screen.findByRole("table", { name: "Acts" });
    expect(within(table).getByText("site bakery")).toBeTruthy();
    expect(within(table).getByText("reason: Fraud")).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Acts" }), "Listings");
    await waitFor(() => expect(calls.some(({ route }) => route.includes("action=listing"))).toBe(true));
    await searchesFor("Subject, exactly", "bakery", () => calls.some(({ route }) => route.includes("subject=bakery")));
    await userEvent.click(within(screen.getByRole("table")).getByRole("button", { name: ACT.actor }));
    await waitFor(() => expect(calls.some(({ route }) => route.includes("actor=key-1a2b3c4d"))).toBe(true));
  });

  it("verifies on demand alone, and says what is wrong", async () => {
    renderApp("/admin/audit");
    await screen.findByRole("table", { name: "Acts" });
    expect(calls.some(({ route }) => route === STATE)).toBe(false);
    answers.set(STATE, { body: { whole: true, entries: 812, fault: null } });
    await userEvent.click(screen.getByRole("button", { name: "Verify the log" }));
    expect(await screen.findByText("The audit log is whole: 812 entries.")).toBeTruthy();
    const words = "The audit log was rewritten: the seal of entry 7 is not right.";
    answers.set(STATE, { body: { whole: false, entries: 812, fault: words } });
    await userEvent.click(screen.getByRole("button", { name: "Verify the log" }));
    expect(await screen.findByText(words)).toBeTruthy();
  });
});

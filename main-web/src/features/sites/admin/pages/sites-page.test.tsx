import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior, testSearch } from "@/testing/admin/list-behavior";
import type { SiteRow } from "../lib/types";

const { responses, calls } = apiServer();

const BAKERY: SiteRow = {
  id: "g1",
  label: "bakery",
  character: "The Bakery",
  status: "active",
  ownerEmail: "nell@mail.example",
  ownerName: "Nell Neighbor",
  ownerId: "u1",
  domains: ["bread.example"],
  posts: 3,
  views: 12345,
  monthlyVisitors: 67,
  leads: 8,
  openReports: 1,
  createdAt: "2026-10-03T09:00:00Z",
};
const SUSPENSION = "/api/admin/sites/bakery/suspension";

beforeAll(() => Promise.all([import("@/features/admin/components/admin-layout"), import("./sites-page")]), 60_000);

async function opened() {
  renderApp("/admin/sites");
  await userEvent.click(await screen.findByRole("button", { name: "bakery" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByRole("button", { name: /Export/ });
  return within(dialog);
}

describe("guru sites", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin/sites",
    path: "/api/admin/sites",
    label: "Guru sites",
    items: [BAKERY, { ...BAKERY, id: "g2", label: "pottery", character: "The Pottery" }],
    names: [/bakery/, /pottery/],
    errorTitle: "We couldn't load sites",
    empty: "No guru sites yet.",
  });

  it("searches, and filters by status", async () => {
    renderApp("/admin/sites");
    const table = await screen.findByRole("table", { name: "Guru sites" });
    expect(within(table).getByText("12,345")).toBeTruthy();
    await testSearch("Search by label, domain or owner's email", "bread", () =>
      calls.some(({ route }) => route.includes("search=bread")),
    );
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "unpublished");
    await waitFor(() => expect(calls.some(({ route }) => route.includes("status=unpublished"))).toBe(true));
  });

  it("suspends a site with a reason, and restores it", async () => {
    responses.set("GET /api/admin/sites/bakery", { body: BAKERY });
    responses.set(`POST ${SUSPENSION}`, { body: {} });
    responses.set(`DELETE ${SUSPENSION}`, { body: {} });
    const dialog = await opened();
    await userEvent.click(dialog.getByRole("button", { name: "Suspend…" }));
    await userEvent.type(dialog.getByLabelText(/^Reason/), "Fraud");
    responses.set("GET /api/admin/sites/bakery", { body: { ...BAKERY, status: "suspended" } });
    await userEvent.click(dialog.getByRole("button", { name: "Suspend this site" }));
    const restore = await dialog.findByRole("button", { name: "Restore this site" });
    expect(calls.find(({ route }) => route === `POST ${SUSPENSION}`)?.body).toEqual({ reason: "Fraud" });
    responses.set("GET /api/admin/sites/bakery", { body: BAKERY });
    await userEvent.click(restore);
    expect(await dialog.findByRole("button", { name: "Suspend…" })).toBeTruthy();
  });

  it("impersonates the guru with a reason, or shows why not", async () => {
    const impersonationRoute = "POST /api/admin/sites/bakery/impersonation";
    responses.set("GET /api/admin/sites/bakery", { body: BAKERY });
    responses.set(impersonationRoute, {
      status: 409,
      body: { code: "conflict", message: "You're already viewing another site." },
    });
    const dialog = await opened();
    await userEvent.click(dialog.getByRole("button", { name: /View as this guru/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Open the console" }));
    expect(await dialog.findByText("Please enter a reason.")).toBeTruthy();
    await userEvent.type(dialog.getByLabelText(/^Reason/), "A call for help");
    await userEvent.click(dialog.getByRole("button", { name: "Open the console" }));
    expect(await dialog.findByText("You're already viewing another site.")).toBeTruthy();
    expect(calls.find(({ route }) => route === impersonationRoute)?.body).toEqual({ reason: "A call for help" });
  });
});

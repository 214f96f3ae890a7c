import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior, testSearch } from "@/testing/admin/list-behavior";
import type { UserDetail, UserRow } from "../lib/types";

const { responses, calls } = apiServer();

const NELL: UserRow = {
  id: "u1",
  displayName: "Nell Neighbor",
  handle: "nell",
  email: "nell@mail.example",
  status: "active",
  guru: "bakery",
  createdAt: "2026-10-03T09:00:00Z",
};
const OMAR: UserRow = { ...NELL, id: "u2", displayName: "", handle: "omar", email: "omar@mail.example", guru: null };
const DETAIL: UserDetail = {
  ...NELL,
  emailVerified: true,
  bio: "",
  location: "Denver, CO",
  skillsOffered: ["Bread"],
  skillsWanted: [],
  publicProfile: true,
  openSessions: 2,
  lastSeenAt: null,
  suspendedAt: null,
  suspendedReason: "",
  siteStatus: "active",
  reports: 1,
};
const SUSPENSION = "POST /api/admin/users/u1/suspension";

beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
    ]),
  60_000,
);

describe("users (SPEC 2.12)", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin?tab=users",
    path: "/api/admin/users",
    label: "Users",
    items: [NELL, OMAR],
    names: [/Nell Neighbor/, /omar/],
    errorTitle: "We couldn't load users",
    empty: "No users yet.",
  });

  it("keeps search and filter in the URL", async () => {
    const { router } = renderApp("/admin?tab=users");
    await screen.findByRole("table", { name: "Users" });
    responses.set("GET /api/admin/users", { body: { items: [], nextCursor: null } });
    await testSearch("Search by name, email or handle", "zoe", () =>
      calls.some(({ route }) => route.includes("search=zoe")),
    );
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "suspended");
    await waitFor(() =>
      expect(calls.some(({ route }) => route.includes("search=zoe") && route.includes("status=suspended"))).toBe(true),
    );
    expect(await screen.findByText("No results match these filters.")).toBeTruthy();
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get("search")).toBe("zoe"));
    expect(new URLSearchParams(router.state.location.search).get("status")).toBe("suspended");
  });

  it("suspends only with a reason, and keeps it on errors", async () => {
    responses.set("GET /api/admin/users/u1", { body: DETAIL });
    renderApp("/admin?tab=users");
    await userEvent.click(await screen.findByRole("button", { name: "Nell Neighbor" }));
    const dialog = await screen.findByRole("dialog", { name: "Nell Neighbor" });
    await userEvent.click(await within(dialog).findByRole("button", { name: "Suspend…" }));
    expect(within(dialog).getByText(/takes the site bakery offline/)).toBeTruthy();
    await userEvent.click(within(dialog).getByRole("button", { name: "Suspend this account" }));
    expect(await within(dialog).findByText("Please enter a reason.")).toBeTruthy();
    expect(calls.some(({ route }) => route === SUSPENSION)).toBe(false);

    responses.set(SUSPENSION, { status: 409, body: { code: "conflict", message: "A colleague was first." } });
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), "Spam");
    await userEvent.click(within(dialog).getByRole("button", { name: "Suspend this account" }));
    expect(await within(dialog).findByText("A colleague was first.")).toBeTruthy();
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe("Spam");

    responses.set(SUSPENSION, { body: {} });
    responses.set("GET /api/admin/users/u1", { body: { ...DETAIL, status: "suspended", suspendedReason: "Spam" } });
    await userEvent.click(within(dialog).getByRole("button", { name: "Suspend this account" }));
    expect(await within(dialog).findByRole("button", { name: "Restore this account" })).toBeTruthy();
    expect(calls.findLast(({ route }) => route === SUSPENSION)?.body).toEqual({ reason: "Spam" });
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "../../testing/api-server";
import { renderApp } from "../../testing/render-app";
import { behavesAsAList, searchesFor } from "./list-journeys";
import type { PersonDetail, PersonRow } from "./types";

const { answers, calls } = apiServer();

const NELL: PersonRow = {
  id: "u1",
  displayName: "Nell Neighbor",
  handle: "nell",
  email: "nell@mail.example",
  status: "active",
  guru: "bakery",
  createdAt: "2026-10-03T09:00:00Z",
};
const OMAR: PersonRow = { ...NELL, id: "u2", displayName: "", handle: "omar", email: "omar@mail.example", guru: null };
const DETAIL: PersonDetail = {
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

beforeAll(() => Promise.all([import("./admin-frame"), import("./dashboard-page")]), 60_000);

describe("users (SPEC 2.12)", () => {
  behavesAsAList({
    answers,
    calls,
    at: "/admin?tab=users",
    path: "/api/admin/users",
    label: "Users",
    items: [NELL, OMAR],
    names: [/Nell Neighbor/, /omar/],
    trouble: "The users could not be loaded",
    empty: "Nobody has signed up yet.",
  });

  it("searches and narrows down, both in the address", async () => {
    const { router } = renderApp("/admin?tab=users");
    await screen.findByRole("table", { name: "Users" });
    answers.set("GET /api/admin/users", { body: { items: [], nextCursor: null } });
    await searchesFor("Search by name, email or handle", "zoe", () => calls.some(({ route }) => route.includes("search=zoe")));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "suspended");
    await waitFor(() =>
      expect(calls.some(({ route }) => route.includes("search=zoe") && route.includes("status=suspended"))).toBe(true),
    );
    expect(await screen.findByText("Nothing matches these filters.")).toBeTruthy();
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get("search")).toBe("zoe"));
    expect(new URLSearchParams(router.state.location.search).get("status")).toBe("suspended");
  });

  it("suspends for a reason only, and keeps the reason when that fails", async () => {
    answers.set("GET /api/admin/users/u1", { body: DETAIL });
    renderApp("/admin?tab=users");
    await userEvent.click(await screen.findByRole("button", { name: "Nell Neighbor" }));
    const dialog = await screen.findByRole("dialog", { name: "Nell Neighbor" });
    await userEvent.click(await within(dialog).findByRole("button", { name: "Suspend…" }));
    expect(within(dialog).getByText(/the site bakery goes down with its owner/)).toBeTruthy();
    await userEvent.click(within(dialog).getByRole("button", { name: "Suspend this account" }));
    expect(within(dialog).getByText("Please give a reason.")).toBeTruthy();
    expect(calls.some(({ route }) => route === SUSPENSION)).toBe(false);

    answers.set(SUSPENSION, { status: 409, body: { code: "conflict", message: "A colleague was first." } });
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), "Spam");
    await userEvent.click(within(dialog).getByRole("button", { name: "Suspend this account" }));
    expect(await within(dialog).findByText("A colleague was first.")).toBeTruthy();
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe("Spam");

    answers.set(SUSPENSION, { body: {} });
    answers.set("GET /api/admin/users/u1", { body: { ...DETAIL, status: "suspended", suspendedReason: "Spam" } });
    await userEvent.click(within(dialog).getByRole("button", { name: "Suspend this account" }));
    expect(await within(dialog).findByRole("button", { name: "Restore this account" })).toBeTruthy();
    expect(calls.findLast(({ route }) => route === SUSPENSION)?.body).toEqual({ reason: "Spam" });
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior, testSearch } from "@/testing/admin/list-behavior";
import type { ListingDetail, ListingRow } from "../lib/types";

const { responses, calls } = apiServer();

const BREAD: ListingRow = {
  id: "l1",
  title: "Sourdough bread",
  level: null,
  ownerId: "u1",
  ownerName: "Nell Neighbor",
  status: "listed",
  createdAt: "2026-10-03T09:00:00Z",
};
const DETAIL: ListingDetail = {
  ...BREAD,
  details: "From starter to crust.",
  formats: ["in_person"],
  terms: ["price", "swap"],
  priceCents: 2500,
  currency: "USD",
  ownerStatus: "active",
  hiddenReason: "",
  reports: 0,
  photos: [{ path: "/api/admin/listings/photos/p1.webp", alt: "A loaf" }],
};
const HIDING = "/api/admin/listings/l1/hiding";

beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
    ]),
  60_000,
);

describe("listings (SPEC 2.12)", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin?tab=listings",
    path: "/api/admin/listings",
    label: "Listings",
    items: [BREAD, { ...BREAD, id: "l2", title: "Juggling" }],
    names: [/Sourdough bread/, /Juggling/],
    errorTitle: "We couldn't load listings",
    empty: "No listings yet.",
  });

  it("searches, and filters hidden ones", async () => {
    renderApp("/admin?tab=listings");
    await screen.findByRole("table", { name: "Listings" });
    await testSearch("Search by skill", "bread", () => calls.some(({ route }) => route.includes("search=bread")));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Hidden by staff");
    await waitFor(() =>
      expect(calls.some(({ route }) => route.includes("search=bread") && route.includes("hidden=true"))).toBe(true),
    );
  });

  it("hides a listing with a reason, and shows it again", async () => {
    responses.set("GET /api/admin/listings/l1", { body: DETAIL });
    responses.set(`POST ${HIDING}`, { body: {} });
    responses.set(`DELETE ${HIDING}`, { body: {} });
    renderApp("/admin?tab=listings");
    await userEvent.click(await screen.findByRole("button", { name: "Sourdough bread" }));
    const dialog = await screen.findByRole("dialog", { name: "Sourdough bread" });
    expect(await within(dialog).findByText("$25")).toBeTruthy();
    expect(within(dialog).getByRole("img", { name: "A loaf" }).getAttribute("src")).toBe(DETAIL.photos[0]?.path);
    await userEvent.click(within(dialog).getByRole("button", { name: "Hide…" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(calls.some(({ route }) => route.endsWith("/hiding"))).toBe(false);

    await userEvent.click(within(dialog).getByRole("button", { name: "Hide…" }));
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), " A scam ");
    responses.set("GET /api/admin/listings/l1", { body: { ...DETAIL, status: "hidden", hiddenReason: "A scam" } });
    await userEvent.click(within(dialog).getByRole("button", { name: "Hide this listing" }));
    expect(await within(dialog).findByText("Hidden by staff: A scam")).toBeTruthy();
    expect(calls.find(({ route }) => route === `POST ${HIDING}`)?.body).toEqual({ reason: "A scam" });

    responses.set("GET /api/admin/listings/l1", { body: DETAIL });
    await userEvent.click(within(dialog).getByRole("button", { name: "Unhide this listing" }));
    expect(await within(dialog).findByRole("button", { name: "Hide…" })).toBeTruthy();
  });
});

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior, testSearch } from "@/testing/admin/list-behavior";
import type { BookedSessionDetail, BookedSessionRow } from "../lib/types";

const { responses, calls } = apiServer();

const LESSON: BookedSessionRow = {
  id: "e1",
  guru: "bakery",
  guruName: "Bread Guru",
  personName: "Caleb Price",
  serviceName: "Bread for beginners",
  status: "confirmed",
  startsAt: "2026-12-01T16:00:00Z",
  endsAt: "2026-12-01T17:00:00Z",
  zone: "America/Denver",
  party: 2,
  suspendedAt: null,
};
const DETAIL: BookedSessionDetail = {
  ...LESSON,
  personZone: "Europe/Berlin",
  handle: "nell",
  priceCents: 7500,
  currency: "USD",
  owedCents: 0,
  waiverUntil: null,
  createdAt: "2026-11-20T16:00:00Z",
  canCancel: true,
  history: [
    entry("requested", "person"),
    entry("confirmed", "guru"),
    { ...entry("moved", "person"), movedFrom: "2026-11-30T16:00:00Z", movedTo: "2026-12-01T16:00:00Z" },
  ],
};
const CANCELLATION = "POST /api/admin/sessions/e1/cancellation";

function entry(event: string, actor: string) {
  return { at: "2026-11-20T16:00:00Z", actor, event, reason: "", owedCents: 0, movedFrom: null, movedTo: null };
}

async function openSession() {
  responses.set("GET /api/admin/sessions/e1", { body: DETAIL });
  renderApp("/admin?tab=sessions");
  await userEvent.click(await screen.findByRole("button", { name: "Bread for beginners" }));
  return screen.findByRole("dialog", { name: "Session: Bread for beginners" });
}

beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
    ]),
  60_000,
);

describe("exchange sessions (SPEC 2.12)", () => {
  beforeEach(() => {
    vi.setSystemTime("2026-11-20T16:00:00Z");
    const body = {
      chains: 0,
      links: 0,
      verifiedLinks: 0,
      newestChains: [],
      textsAcknowledgedAt: "2026-11-01T15:30:00Z",
    };
    responses.set("GET /api/admin/waivers/state", { body });
  });

  testListBehavior({
    responses,
    calls,
    at: "/admin?tab=sessions",
    path: "/api/admin/sessions",
    label: "Exchange sessions",
    items: [LESSON, { ...LESSON, id: "e2", serviceName: "Chess" }],
    names: [/Bread for beginners/, /Chess/],
    errorTitle: "We couldn't load sessions",
    empty: "No upcoming sessions.",
  });

  it("starts with today, and keeps the filters in the URL", async () => {
    const { router } = renderApp("/admin?tab=sessions");
    await screen.findByRole("table", { name: "Exchange sessions" });
    expect(screen.getByText("Tue, Dec 1, 9:00 – 10:00 AM MST")).toBeTruthy();
    expect(calls.some(({ route }) => /from=\d{4}-\d\d-\d\d/.test(route))).toBe(true);
    responses.set("GET /api/admin/sessions", { body: { items: [], nextCursor: null } });
    await testSearch("Search by service or guru", "bread", () =>
      calls.some(({ route }) => route.includes("search=bread")),
    );
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Site" }), "Suspended over 72 hours");
    fireEvent.change(screen.getByLabelText("From"), { target: { value: "" } });
    await waitFor(() =>
      expect(calls.some(({ route }) => route.includes("site=overdue") && !route.includes("from="))).toBe(true),
    );
    expect(await screen.findByText("No results match these filters.")).toBeTruthy();
    expect(new URLSearchParams(router.state.location.search).get("site")).toBe("overdue");
  });

  it("shows what happened to a session", async () => {
    const dialog = await openSession();
    expect(await within(dialog).findByText("Requested by the person")).toBeTruthy();
    expect(within(dialog).getByText("Tue, Dec 1, 9:00 – 10:00 AM MST (5:00 PM GMT+1 for the neighbor)")).toBeTruthy();
    expect(within(dialog).getByText(/^Moved from Mon, Nov 30, .* to Tue, Dec 1, .* by the person$/)).toBeTruthy();
    expect(within(dialog).queryByText("Owed")).toBeNull();
    expect(within(dialog).getByRole("link", { name: "Caleb Price (@nell)" }).getAttribute("href")).toContain(
      "tab=users&search=nell",
    );
  });

  it("cancels only with a reason, and keeps it on errors", async () => {
    const dialog = await openSession();
    await userEvent.click(await within(dialog).findByRole("button", { name: "Cancel for both…" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel for both" }));
    expect(await within(dialog).findByText("Please enter a reason.")).toBeTruthy();
    expect(calls.some(({ route }) => route === CANCELLATION)).toBe(false);

    responses.set(CANCELLATION, { status: 500, body: { code: "internal", message: "" } });
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), "Storm");
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel for both" }));
    expect(await within(dialog).findByText(/Server error/)).toBeTruthy();
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe("Storm");

    const canceled = { ...DETAIL, status: "canceled", canCancel: false };
    responses.set(CANCELLATION, { body: canceled });
    responses.set("GET /api/admin/sessions/e1", { body: canceled });
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel for both" }));
    expect(await within(dialog).findByText("Canceled")).toBeTruthy();
    expect(within(dialog).queryByRole("button", { name: /Cancel for both/ })).toBeNull();
    expect(calls.findLast(({ route }) => route === CANCELLATION)?.body).toEqual({ reason: "Storm" });
  });

  it("says that a session was changed in the meantime", async () => {
    const dialog = await openSession();
    await userEvent.click(await within(dialog).findByRole("button", { name: "Cancel for both…" }));
    const message = "This session was changed in the meantime. Please reload.";
    responses.set(CANCELLATION, { status: 409, body: { code: "booking_changed", message } });
    responses.set("GET /api/admin/sessions/e1", { body: { ...DETAIL, status: "canceled", canCancel: false } });
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), "Storm");
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel for both" }));
    expect(await within(dialog).findByText("Canceled")).toBeTruthy();
    expect(within(dialog).getByText(message)).toBeTruthy();
  });

  it("show SPEC's note while bookings are off", async () => {
    responses.set("GET /api/config", { body: { flags: { booking: false } } });
    renderApp("/admin?tab=sessions");
    expect(await screen.findByText(/will be available in a future release/)).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
  });
});

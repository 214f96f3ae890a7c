import { screen } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior } from "../../lib/list-test-helpers";
import type { ExchangeRow } from "../../lib/types";

const { responses, calls } = apiServer();

const LESSON: ExchangeRow = {
  id: "e1",
  title: "Bread for beginners",
  status: "active",
  startsAt: "2026-10-03T09:00:00Z",
};

beforeAll(
  () => Promise.all([import("../../components/admin-layout"), import("../../dashboard/pages/dashboard-page")]),
  60_000,
);

describe("exchange sessions (SPEC 2.12)", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin?tab=sessions",
    path: "/api/admin/sessions",
    label: "Exchange sessions",
    items: [LESSON, { ...LESSON, id: "e2", title: "Chess" }],
    names: [/Bread for beginners/, /Chess/],
    errorTitle: "We couldn't load sessions",
    empty: "No sessions have been booked yet.",
  });

  it("show SPEC's note while bookings are off", async () => {
    responses.set("GET /api/config", { body: { flags: { booking: false } } });
    renderApp("/admin?tab=sessions");
    expect(await screen.findByText(/will be available in a future release/)).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
  });
});

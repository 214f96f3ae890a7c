import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { testListBehavior, testSearch } from "@/testing/admin/list-behavior";
import type { RiskReviewDetail, RiskReviewRow } from "../lib/types";

const { responses, calls } = apiServer();

const ZORBING: RiskReviewRow = {
  id: "r1",
  category: "",
  activity: "zorbing of frogs",
  level: null,
  risk: { rating: "medium", requiresWaiver: false, reasons: ["We don't know this activity yet."], known: false },
  listings: 2,
  gurusAsking: 0,
  seen: 1200,
  firstSeenAt: "2026-10-03T09:00:00Z",
  lastSeenAt: "2026-10-04T09:00:00Z",
  decidedAt: null,
};
const DETAIL: RiskReviewDetail = {
  ...ZORBING,
  cut: false,
  requests: [],
  examples: [{ id: "l1", title: "Zorbing of Frogs", details: "Down the hill, in a ball." }],
  note: "",
  decidedBy: "",
};
const DECIDED: RiskReviewDetail = {
  ...DETAIL,
  level: "high",
  risk: { rating: "high", requiresWaiver: true, reasons: ["Reviewed by our team: high risk."], known: true },
  note: "A colleague looked it up.",
  decidedAt: "2026-10-05T09:00:00Z",
  decidedBy: "key-1234",
};
const REVIEW = "GET /api/admin/risk-reviews/r1";
const DECISION = "PUT /api/admin/risk-reviews/r1/decision";
const sentDecisions = () => calls.filter(({ route }) => route === DECISION).map(({ body }) => body);

beforeAll(() => Promise.all([import("@/features/admin/components/admin-layout"), import("./risks-page")]), 60_000);

async function opened() {
  renderApp("/admin/risks");
  await userEvent.click(await screen.findByRole("button", { name: "zorbing of frogs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "zorbing of frogs" }));
  await dialog.findByLabelText("Risk level");
  return dialog;
}

describe("risk reviews", () => {
  testListBehavior({
    responses,
    calls,
    at: "/admin/risks",
    path: "/api/admin/risk-reviews",
    label: "Risk reviews",
    items: [ZORBING, { ...ZORBING, id: "r2", category: "creative", activity: "blorfing" }],
    names: [/zorbing of frogs/, /blorfing.*in creative/],
    errorTitle: "We couldn't load risk reviews",
    empty: "Nothing to rate right now.",
  });

  it("shows which gurus asked, and about which service", async () => {
    const request = {
      id: "q1",
      service: "First Mug at the Wheel",
      guru: "Clay Corner",
      subdomain: "clay",
      sentence: "We only use hand tools.",
      askedAt: "2026-10-04T09:00:00Z",
      answeredAt: null,
    };
    responses.set("GET /api/admin/risk-reviews", {
      body: { items: [{ ...ZORBING, gurusAsking: 1 }], nextCursor: null },
    });
    responses.set(REVIEW, { body: { ...DETAIL, requests: [request] } });
    renderApp("/admin/risks");
    await userEvent.click(await screen.findByRole("button", { name: /zorbing of frogs/ }));
    expect(screen.getByText("1 guru asks")).toBeTruthy();
    const asked = within(await screen.findByRole("region", { name: "Gurus who asked" }));
    expect(asked.getByText("We only use hand tools.")).toBeTruthy();
    expect(asked.getByText(/Clay Corner \(clay\) about the service First Mug at the Wheel/)).toBeTruthy();
  });

  it("searches, and shows decided ones", async () => {
    renderApp("/admin/risks");
    const table = await screen.findByRole("table", { name: "Risk reviews" });
    for (const text of ["Medium", "1,200 times"]) expect(within(table).getByText(text)).toBeTruthy();
    await testSearch("Search by activity", "frogs", () =>
      calls.some(({ route }) => route.includes("search=frogs") && route.includes("status=waiting")),
    );
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Rated");
    await waitFor(() => expect(calls.some(({ route }) => route.includes("status=decided"))).toBe(true));
  });

  it("saves a decision with a note", async () => {
    responses.set(REVIEW, { body: DETAIL });
    const dialog = await opened();
    expect(dialog.getByText("We don't know this activity yet.")).toBeTruthy();
    expect(dialog.getByText("Down the hill, in a ball.")).toBeTruthy();
    expect(dialog.getByRole("link", { name: "Zorbing of Frogs" }).getAttribute("href")).toBe("/listings/l1");
    await userEvent.click(dialog.getByRole("button", { name: "Save rating" }));
    expect(await dialog.findByText("Please choose a level.")).toBeTruthy();
    expect(sentDecisions()).toEqual([]);
    await userEvent.selectOptions(dialog.getByLabelText("Risk level"), "High");
    await userEvent.type(dialog.getByLabelText(/^Note/), " It rolls ");
    responses.set(DECISION, { body: DECIDED });
    responses.set(REVIEW, { body: DECIDED });
    await userEvent.click(dialog.getByRole("button", { name: "Save rating" }));
    expect(await dialog.findByText("Reviewed by our team: high risk.")).toBeTruthy();
    expect(dialog.getByText("A colleague looked it up.")).toBeTruthy();
    expect(sentDecisions()).toEqual([{ level: "high", note: "It rolls", replaces: null }]);
    expect(await screen.findByText("Saved: high risk.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe("");
  });

  it("shows a colleague's earlier decision and keeps the input", async () => {
    responses.set(REVIEW, { body: DETAIL });
    responses.set(DECISION, {
      status: 409,
      body: { code: "already_decided", message: "Someone else has already decided this." },
    });
    const dialog = await opened();
    await userEvent.selectOptions(dialog.getByLabelText("Risk level"), "Low");
    await userEvent.type(dialog.getByLabelText(/^Note/), "Harmless");
    responses.set(REVIEW, { body: DECIDED });
    await userEvent.click(dialog.getByRole("button", { name: "Save rating" }));
    expect(await dialog.findByText("Someone else has already decided this.")).toBeTruthy();
    const change = await dialog.findByRole("button", { name: "Change rating" });
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe("Harmless");
    await userEvent.click(change);
    await waitFor(() => expect(sentDecisions().at(-1)).toEqual({ level: "low", note: "Harmless", replaces: "high" }));
  });

  it("notes that a description was truncated", async () => {
    responses.set(REVIEW, { body: { ...DETAIL, cut: true } });
    const dialog = await opened();
    expect(dialog.getByText(/^We only kept the beginning of this description/)).toBeTruthy();
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "../../testing/api-server";
import { renderApp } from "../../testing/render-app";
import { behavesAsAList, searchesFor } from "./list-journeys";
import type { RiskReviewDetail, RiskReviewRow } from "./types";

const { answers, calls } = apiServer();

const ZORBING: RiskReviewRow = {
  id: "r1",
  category: "",
  activity: "zorbing of frogs",
  level: null,
  risk: { rating: "medium", requiresWaiver: false, reasons: ["We do not know this activity yet."], known: false },
  listings: 2,
  seen: 1200,
  firstSeenAt: "2026-10-03T09:00:00Z",
  lastSeenAt: "2026-10-04T09:00:00Z",
  decidedAt: null,
};
const DETAIL: RiskReviewDetail = {
  ...ZORBING,
  cut: false,
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
const sent = () => calls.filter(({ route }) => route === DECISION).map(({ body }) => body);

beforeAll(() => Promise.all([import("./admin-frame"), import("./risks-page")]), 60_000);

async function opened() {
  renderApp("/admin/risks");
  await userEvent.click(await screen.findByRole("button", { name: "zorbing of frogs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "zorbing of frogs" }));
  await dialog.findByLabelText("How risky it is");
  return dialog;
}

describe("risk reviews", () => {
  behavesAsAList({
    answers,
    calls,
    at: "/admin/risks",
    path: "/api/admin/risk-reviews",
    label: "Risk reviews",
    items: [ZORBING, { ...ZORBING, id: "r2", category: "creative", activity: "blorfing" }],
    names: [/zorbing of frogs/, /blorfing.*in creative/],
    trouble: "The risk reviews could not be loaded",
    empty: "Nothing waits to be rated.",
  });

  it("searches, and shows what is decided", async () => {
    renderApp("/admin/risks");
    const table = await screen.findByRole("table", { name: "Risk reviews" });
    for (const words of ["Medium", "1,200 times"]) expect(within(table).getByText(words)).toBeTruthy();
    await searchesFor("Search by words", "frogs", () =>
      calls.some(({ route }) => route.includes("search=frogs") && route.includes("status=waiting")),
    );
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Decided");
    await waitFor(() => expect(calls.some(({ route }) => route.includes("status=decided"))).toBe(true));
  });

  it("decides once a level is chosen, with a note", async () => {
    answers.set(REVIEW, { body: DETAIL });
    const dialog = await opened();
    expect(dialog.getByText("We do not know this activity yet.")).toBeTruthy();
    expect(dialog.getByText("Down the hill, in a ball.")).toBeTruthy();
    expect(dialog.getByRole("link", { name: "Zorbing of Frogs" }).getAttribute("href")).toBe("/listings/l1");
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(await dialog.findByText("Please choose a level.")).toBeTruthy();
    expect(sent()).toEqual([]);
    await userEvent.selectOptions(dialog.getByLabelText("How risky it is"), "High");
    await userEvent.type(dialog.getByLabelText(/^Note/), " It rolls ");
    answers.set(DECISION, { body: DECIDED });
    answers.set(REVIEW, { body: DECIDED });
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(await dialog.findByText("Reviewed by our team: high risk.")).toBeTruthy();
    expect(dialog.getByText("A colleague looked it up.")).toBeTruthy();
    expect(sent()).toEqual([{ level: "high", note: "It rolls", replaces: null }]);
    expect(await screen.findByText("It is decided: high risk.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe("");
  });

  it("tells who comes second, shows the colleague's decision and keeps what was typed", async () => {
    answers.set(REVIEW, { body: DETAIL });
    answers.set(DECISION, { status: 409, body: { code: "conflict", message: "A colleague decided on this meanwhile." } });
    const dialog = await opened();
    await userEvent.selectOptions(dialog.getByLabelText("How risky it is"), "Low");
    await userEvent.type(dialog.getByLabelText(/^Note/), "Harmless");
    answers.set(REVIEW, { body: DECIDED });
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(await dialog.findByText("A colleague decided on this meanwhile.")).toBeTruthy();
    const change = await dialog.findByRole("button", { name: "Change the decision" });
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe("Harmless");
    await userEvent.click(change);
    await waitFor(() => expect(sent().at(-1)).toEqual({ level: "low", note: "Harmless", replaces: "high" }));
  });

  it("says when only the beginning of a description was kept", async () => {
    answers.set(REVIEW, { body: { ...DETAIL, cut: true } });
    const dialog = await opened();
    expect(dialog.getByText(/^Only the beginning of this description was kept/)).toBeTruthy();
  });
});

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import type { PublicListing } from "../api/get-listing";

const { responses, calls } = apiServer();

const BREAD: PublicListing = {
  id: "04c9b0e1-b55b-4772-88a4-42c81b917662",
  title: "Sourdough bread",
  level: "expert",
  details: "From starter to crust.",
  formats: ["in_person"],
  terms: ["swap"],
  priceCents: null,
  currency: "USD",
  radiusKm: 16,
  days: ["sat"],
  photos: [],
  risk: { rating: "medium", requiresWaiver: false, reasons: ["“bread”: hot ovens (medium risk)."], known: true },
  teacher: { handle: "maya", name: "Maya Lindqvist", photoURL: "", bio: "", city: "Denver, Colorado", languages: [] },
};
const AT = `/listings/${BREAD.id}`;

beforeAll(() => import("./listing-page"), 60_000);

it("can be reported", async () => {
  responses.set(`GET /api/skills${AT}`, { body: BREAD });
  responses.set("POST /api/reports", { status: 201, body: {} });
  const user = userEvent.setup();
  renderApp(AT);
  expect(await screen.findByRole("heading", { name: "Sourdough bread", level: 1 })).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Report this" }));
  await user.selectOptions(await screen.findByLabelText(/^What.s wrong/), "spam");
  await user.click(screen.getByRole("button", { name: "Send report" }));
  await waitFor(() =>
    expect(calls.find(({ route }) => route === "POST /api/reports")?.body).toMatchObject({
      kind: "listing",
      name: BREAD.id,
    }),
  );
});

it.each([
  ["low", false, []],
  ["medium", false, []],
  ["high", true, ["High Risk", "Waiver Required"]],
  ["extreme", true, ["High Risk", "Waiver Required"]],
] as const)("shows the warning and reasons of %s risk", async (rating, requiresWaiver, marks) => {
  const reasons = ["“bread”: the reason."];
  responses.set(`GET /api/skills${AT}`, { body: { ...BREAD, risk: { rating, requiresWaiver, reasons, known: true } } });
  renderApp(AT);
  expect(await screen.findByText("“bread”: the reason.")).toBeTruthy();
  for (const mark of ["Medium Risk", "High Risk", "Waiver Required"]) {
    expect(screen.queryAllByText(mark)).toHaveLength((marks as readonly string[]).includes(mark) ? 1 : 0);
  }
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { SHARED_KEY } from "@/testing/admin/staff";
import type { ReportDetail } from "../lib/types";

const { responses, calls } = apiServer();

const REPORT: ReportDetail = {
  id: "r1",
  kind: "post",
  name: "cooking/win-a-pan",
  title: "Win a pan",
  reason: "scam",
  status: "open",
  createdAt: "2026-10-03T09:00:00Z",
  subjectId: "p1",
  subjectState: "shown",
  owner: { userId: "u1", email: "ines@mail.example", name: "Ines Fontaine" },
  guru: "cooking",
  details: "It asks for gift cards.",
  reporter: null,
  alsoOpen: 0,
  outcome: null,
  note: "",
  resolvedBy: "",
  resolvedAt: null,
  evidence: [],
};

beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
    ]),
  60_000,
);

async function openReport(report: ReportDetail) {
  responses.set("GET /api/admin/ping", { body: SHARED_KEY });
  responses.set("GET /api/admin/reports", { body: { items: [report], nextCursor: null } });
  responses.set("GET /api/admin/reports/r1", { body: report });
  renderApp("/admin?tab=reports");
  await userEvent.click(await screen.findByRole("button", { name: report.title }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("combobox", { name: "Outcome" });
  return dialog;
}

describe("acting on a report", () => {
  it.each([
    ["post", "Hide post…", "Hide this post", "POST /api/admin/posts/p1/hiding"],
    ["listing", "Hide listing…", "Hide this listing", "POST /api/admin/listings/p1/hiding"],
    ["review", "Remove review…", "Remove this review", "POST /api/admin/reviews/p1/removal"],
    ["site", "Suspend site…", "Suspend this site", "POST /api/admin/sites/cooking/suspension"],
    ["profile", "Suspend account…", "Suspend this account", "POST /api/admin/users/u1/suspension"],
    ["thread", "Suspend account…", "Suspend this account", "POST /api/admin/users/u1/suspension"],
  ] as const)("takes down a %s, and fills in the resolution", async (kind, open, confirm, route) => {
    responses.set(route, { body: {} });
    const dialog = await openReport({ ...REPORT, kind });
    expect(dialog.getByRole<HTMLSelectElement>("combobox", { name: "Outcome" }).value).toBe("");
    await userEvent.click(dialog.getByRole("button", { name: open }));
    await userEvent.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Gift cards");
    await userEvent.click(dialog.getByRole("button", { name: confirm }));
    const outcome = dialog.getByRole<HTMLSelectElement>("combobox", { name: "Outcome" });
    await waitFor(() => expect(outcome.value).toBe("acted"));
    expect(dialog.getByRole<HTMLTextAreaElement>("textbox", { name: /^Note/ }).value).toMatch(/Gift cards$/);
    expect(calls.find((call) => call.route === route)?.body).toEqual({ reason: "Gift cards" });
  });

  it("asks for an outcome before it resolves", async () => {
    const dialog = await openReport(REPORT);
    await userEvent.click(dialog.getByRole("button", { name: "Resolve" }));
    expect(await dialog.findByText("Please choose what happened.")).toBeTruthy();
    expect(calls.some(({ route }) => route.endsWith("/resolution"))).toBe(false);
  });

  it("brings back what is hidden, and links to its owner's mail", async () => {
    const route = "DELETE /api/admin/posts/p1/hiding";
    responses.set(route, { body: {} });
    const dialog = await openReport({ ...REPORT, subjectState: "hidden" });
    expect(dialog.queryByRole("button", { name: "Hide post…" })).toBeNull();
    const mail = dialog.getByRole("link", { name: "Write to Ines Fontaine" });
    expect(mail.getAttribute("href")).toBe("mailto:ines%40mail.example");
    await userEvent.click(dialog.getByRole("button", { name: "Bring the post back" }));
    expect(await screen.findByText("The post is back.")).toBeTruthy();
    expect(calls.some((call) => call.route === route)).toBe(true);
  });

  it("keeps the reason when the act fails", async () => {
    responses.set("POST /api/admin/posts/p1/hiding", { status: 500, body: {} });
    const dialog = await openReport(REPORT);
    await userEvent.click(dialog.getByRole("button", { name: "Hide post…" }));
    await userEvent.type(dialog.getByRole("textbox", { name: /^Reason/ }), "Gift cards");
    await userEvent.click(dialog.getByRole("button", { name: "Hide this post" }));
    expect(await dialog.findByRole("alert")).toBeTruthy();
    expect(dialog.getByRole<HTMLTextAreaElement>("textbox", { name: /^Reason/ }).value).toBe("Gift cards");
  });

  it("offers nothing about what is deleted", async () => {
    const dialog = await openReport({ ...REPORT, subjectState: "gone", owner: null });
    expect(dialog.getByText("Deleted")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: /^Hide|^Suspend|^Remove/ })).toBeNull();
    expect(dialog.queryByRole("link", { name: /^Write to/ })).toBeNull();
  });
});

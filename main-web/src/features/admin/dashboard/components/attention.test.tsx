import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { MAYA } from "@/testing/admin/staff";
import type { AdminOverview } from "../../lib/types";

const { responses } = apiServer();
const OVERVIEW = "GET /api/admin/overview";
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const QUIET: AdminOverview = {
  documents: { count: 0, oldestAt: null },
  reports: { count: 0, oldestAt: null },
  riskReviews: { count: 0, oldestAt: null },
  days: [
    { day: "2026-11-23", leads: 12, signUps: 3 },
    { day: "2026-11-22", leads: 1200, signUps: 0 },
  ],
  failedEmails: 0,
  failedJobs: 0,
  jobsWaiting: { count: 2, oldestAt: ago(0) },
  lastBackupAt: ago(5),
  money: {
    reconciledAt: ago(0.2),
    centsOff: 0,
    accountsOff: 0,
    openFindings: 0,
    failedEvents: 0,
    openWrites: 0,
    waitingAdjustments: 0,
    openDisputes: 0,
  },
};

beforeAll(
  () =>
    Promise.all([
      import("../../components/admin-layout"),
      import("../pages/dashboard-page"),
      import("@/app/admin-tabs"),
      import("@/features/jobs/admin/pages/jobs-page"),
    ]),
  60_000,
);

beforeEach(() => {
  responses.set("GET /api/admin/ping", { body: MAYA });
  responses.set(OVERVIEW, { body: QUIET });
});

async function row(section: string, name: string) {
  const rows = within(await screen.findByRole("region", { name: section }));
  const link = rows.getByRole("link", { name });
  return { text: link.closest("li")?.textContent, to: link.getAttribute("href") };
}

describe("the admin overview", () => {
  it("says what waits, with links to where it is handled", async () => {
    responses.set(OVERVIEW, {
      body: { ...QUIET, documents: { count: 3, oldestAt: ago(50) }, riskReviews: { count: 1000, oldestAt: null } },
    });
    renderApp("/admin");
    expect(await row("Waiting for you", "Documents")).toEqual({
      text: "DocumentsOldest: 2 days ago3 waiting",
      to: "/admin?tab=documents",
    });
    expect(await row("Waiting for you", "Open reports")).toEqual({
      text: "Open reportsNone waiting",
      to: "/admin?tab=reports",
    });
    expect(await row("Waiting for you", "Risk reviews")).toEqual({
      text: "Risk reviews1,000+ waiting",
      to: "/admin/risks",
    });
  });

  it("says what ails", async () => {
    const jobsWaiting = { count: 40, oldestAt: ago(1) };
    responses.set(OVERVIEW, { body: { ...QUIET, failedEmails: 4, jobsWaiting, lastBackupAt: null } });
    renderApp("/admin");
    expect((await row("Health", "Emails")).text).toContain("4 failed");
    expect((await row("Health", "Other jobs")).text).toContain("None failed");
    expect(await row("Health", "Job queue")).toEqual({
      text: "Job queueOldest: 1 hour ago. Is the worker running?40 waiting",
      to: "/admin/jobs",
    });
    expect(await row("Health", "Last backup")).toEqual({
      text: "Last backupRun “porchlight backup record” after each backup.None recorded",
      to: "/admin/audit?action=backup",
    });
  });

  it("leads from every number to where it is handled", async () => {
    renderApp("/admin");
    const links = async (section: string) =>
      within(await screen.findByRole("region", { name: section }))
        .getAllByRole("link")
        .map((link) => `${link.textContent}: ${link.getAttribute("href")}`);
    expect(await links("Waiting for you")).toEqual([
      "Documents: /admin?tab=documents",
      "Open reports: /admin?tab=reports",
      "Risk reviews: /admin/risks",
    ]);
    expect(await links("Health")).toEqual([
      "Emails: /admin/jobs",
      "Other jobs: /admin/jobs",
      "Job queue: /admin/jobs",
      "Last backup: /admin/audit?action=backup",
    ]);
    expect(await links("Last 7 days")).toEqual(["Leads: /admin/sites", "Sign-ups: /admin?tab=users"]);
  });

  it("says what is off about money, and only then", async () => {
    renderApp("/admin");
    await screen.findByRole("region", { name: "Health" });
    expect(screen.queryByRole("link", { name: "Stripe" })).toBeNull();
    cleanup();
    const money = {
      ...QUIET.money,
      centsOff: 1,
      accountsOff: 1,
      openFindings: 1,
      failedEvents: 2,
      waitingAdjustments: 3,
      openDisputes: 1,
    };
    responses.set(OVERVIEW, { body: { ...QUIET, money } });
    renderApp("/admin");
    expect(await row("Health", "Stripe")).toEqual({
      text: "StripeOff by $0.01 in 1 account - 12 min ago",
      to: "/admin/money?tab=findings",
    });
    expect(await row("Health", "Stripe events")).toEqual({
      text: "Stripe events2 failed",
      to: "/admin/money?tab=events",
    });
    expect((await row("Waiting for you", "Money findings")).text).toBe("Money findings1 waiting");
    expect((await row("Waiting for you", "Disputes")).to).toBe("/admin/money?tab=disputes");
    expect((await row("Waiting for you", "Adjustments")).to).toBe("/admin/money?tab=adjustments");
  });

  it("shows a healthy product without alarms, and the days", async () => {
    renderApp("/admin");
    expect((await row("Health", "Job queue")).text).not.toContain("worker");
    expect((await row("Health", "Last backup")).text).toBe("Last backup5 hours ago");
    const days = within(screen.getByRole("table", { name: "Last 7 days" }));
    expect(days.getByRole("row", { name: "Sun, Nov 22 1,200 0" })).toBeTruthy();
  });

  it("says that it could not be loaded, and tries again", async () => {
    responses.set(OVERVIEW, { status: 500 });
    renderApp("/admin");
    expect(await screen.findByText("We couldn't load what's waiting")).toBeTruthy();
    expect(screen.getByText("Total Users")).toBeTruthy();
    responses.set(OVERVIEW, { body: QUIET });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("region", { name: "Health" })).toBeTruthy();
  });
});

describe("the failed jobs", () => {
  const failed = { email: true, retryable: true, count: 4, firstAt: ago(30), lastAt: ago(2) };
  const RETRY = "POST /api/admin/failed-jobs/leads%3Anotify_guru/retries";

  beforeEach(() => {
    const items = [
      { ...failed, task: "leads:notify_guru" },
      { ...failed, task: "bookings:emails", retryable: false },
    ];
    responses.set("GET /api/admin/failed-jobs", { body: { items, nextCursor: null } });
  });

  it("are queued again by task", async () => {
    responses.set(RETRY, { body: { retried: 4 } });
    renderApp("/admin/jobs");
    await userEvent.click(await screen.findByRole("button", { name: "Try again: leads:notify_guru" }));
    expect(await screen.findByText("4 jobs queued again.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again: bookings:emails" })).toBeNull();
  });

  it("stay listed when queuing them fails", async () => {
    responses.set(RETRY, { status: 500 });
    renderApp("/admin/jobs");
    await userEvent.click(await screen.findByRole("button", { name: "Try again: leads:notify_guru" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole("rowheader", { name: "leads:notify_guru" })).toBeTruthy();
  });

  it("have an empty state", async () => {
    responses.set("GET /api/admin/failed-jobs", { body: { items: [], nextCursor: null } });
    renderApp("/admin/jobs");
    expect(await screen.findByText("Nothing failed in the last 30 days.")).toBeTruthy();
  });
});

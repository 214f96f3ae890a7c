import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, testLoading } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import type { OverviewData } from "../../lib/types";

const server = apiServer();
const { responses } = server;

const OVERVIEW: OverviewData = {
  site: ADAS_SITE,
  character: "Ada's Engines",
  stats: { totalPosts: 3, totalViews: 1200, monthlyVisitors: 40, totalLeads: 9 },
  visits: { days: 7, visitors: 12, daily: [], hasFile: false },
  posts: { draft: 1, scheduled: 0, published: 3, hidden: 0 },
  ready: {
    about: false,
    tagline: true,
    skills: true,
    services: true,
    pictures: true,
    hours: true,
    posts: true,
    contactEmail: true,
    seo: true,
  },
};

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/porch-light", { body: { available: false, until: null } });
  responses.set("GET /api/guru/overview", { body: OVERVIEW });
  responses.set("GET /api/guru/bookings", { body: { bookings: [], nextCursor: null } });
  responses.set("GET /api/guru/bookings/overview", {
    body: { next: [], requests: 0, waiversDue: 0, hasHours: true, unplaced: [], unplacedServices: [] },
  });
});

testLoading(server, {
  at: "/guru",
  route: "GET /api/guru/overview",
  body: OVERVIEW,
  errorTitle: "We couldn't load your stats",
  text: "1,200",
});

it("links to open steps only", async () => {
  renderApp("/guru", ADA);
  const steps = within(await screen.findByRole("region", { name: "What to do next" }));
  const links = steps.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Reply to 2 new leads", "/guru/leads"],
    ["Tell your story", "/guru/site"],
  ]);
});

it("asks for a look at the proposed hours", async () => {
  responses.set("GET /api/guru/overview", { body: { ...OVERVIEW, ready: { ...OVERVIEW.ready, hours: false } } });
  renderApp("/guru", ADA);
  const check = await screen.findByRole("link", { name: "Check your hours" });
  expect(check.getAttribute("href")).toBe("/guru/hours");
});

it("shows that no step is open", async () => {
  const done = { ...OVERVIEW, site: { ...ADAS_SITE, newLeads: 0 }, ready: { ...OVERVIEW.ready, about: true } };
  responses.set("GET /api/guru/overview", { body: done });
  renderApp("/guru", ADA);
  expect(await screen.findByText(/^You're all set/)).toBeTruthy();
});

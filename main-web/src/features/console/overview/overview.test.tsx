import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { BookingsOverview, MyGuru, OverviewData } from "../lib/types";

const { responses } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const READY = {
  tagline: true,
  about: true,
  skills: true,
  seo: true,
  contactEmail: true,
  services: true,
  pictures: true,
  hours: true,
  posts: true,
};
const OVERVIEW: OverviewData = {
  site: GURU,
  character: "Countess of Engines",
  stats: { totalPosts: 0, totalViews: 0, monthlyVisitors: 0, totalLeads: 0 },
  visits: { days: 7, visitors: 12, daily: [], hasFile: false },
  posts: { draft: 0, scheduled: 0, published: 0, hidden: 0 },
  ready: READY,
};
const NEXT: BookingsOverview["next"][number] = {
  id: "b1",
  personName: "Nora Newcomer",
  serviceName: "Lesson",
  startsAt: "2099-12-01T16:00:00Z",
  endsAt: "2099-12-01T17:00:00Z",
  serviceId: "s1",
  zone: "America/Denver",
  waiverDue: true,
};
const NONE: BookingsOverview = {
  next: [],
  requests: 0,
  waiversDue: 0,
  hasHours: true,
  unplaced: [],
  unplacedServices: [],
  moreUnplaced: false,
};
const serve = (changes: Partial<BookingsOverview>) =>
  responses.set("GET /api/guru/bookings/overview", { body: { ...NONE, ...changes } });

async function sessions() {
  renderApp("/guru", ADA);
  return within(await screen.findByRole("region", { name: "Next sessions" }));
}

describe("the sessions of the overview", () => {
  beforeEach(() => {
    responses.set("GET /api/guru", { body: { guru: GURU } });
    responses.set("GET /api/guru/bookings", { body: { bookings: [], nextCursor: null, requests: 0 } });
    responses.set("GET /api/guru/overview", { body: OVERVIEW });
  });

  it("link into the calendar", async () => {
    serve({ next: [NEXT, { ...NEXT, id: "b2", personName: "", waiverDue: false }], requests: 2, waiversDue: 1 });
    const section = await sessions();
    const links: [string, string][] = [
      ["Nora Newcomer", "/guru/calendar?booking=b1"],
      ["Former neighbor", "/guru/calendar?booking=b2"],
      ["1 waiver is due", "/guru/calendar?tab=upcoming"],
    ];
    for (const [name, url] of links) {
      expect((await section.findByRole("link", { name })).getAttribute("href")).toBe(url);
    }
    expect(section.getByText("Waiver due")).toBeTruthy();
  });

  it("name what has no place yet", async () => {
    serve({ unplaced: [NEXT], unplacedServices: [{ id: "s1", name: "Lesson" }] });
    const section = await sessions();
    const booked = await section.findByRole("link", { name: /with Nora Newcomer/ });
    expect(booked.getAttribute("href")).toBe("/guru/calendar?booking=b1");
    expect(section.getByRole("link", { name: /^The service/ }).getAttribute("href")).toBe("/guru/services/s1/booking");
  });

  it("ask for hours while there are none", async () => {
    serve({ hasHours: false });
    const section = await sessions();
    expect(await section.findByText("Set your hours and neighbors can book you.")).toBeTruthy();
    expect(section.getByRole("link", { name: "Set your hours" }).getAttribute("href")).toBe("/guru/hours");
  });

  it("say that there are none yet", async () => {
    serve({});
    const section = await sessions();
    expect(await section.findByText("No sessions yet")).toBeTruthy();
  });

  it("say nothing of none while a request waits", async () => {
    serve({ requests: 1 });
    const section = await sessions();
    expect(await section.findByText("A session you accept will be listed here.")).toBeTruthy();
    expect(section.queryByText("No sessions yet")).toBeNull();
  });

  it("leave the rest of the page when they don't load", async () => {
    responses.set("GET /api/guru/bookings/overview", { status: 500 });
    const section = await sessions();
    expect(await section.findByText("We couldn't load your sessions")).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "What to do next" })).toBeTruthy();
  });
});

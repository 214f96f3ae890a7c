import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { ConsolePostList, MyGuru, OverviewData, Service, SiteProfile } from "./lib/types";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 2,
  suspension: null,
};
const OVERVIEW: OverviewData = {
  site: GURU,
  character: "Ada's Engines",
  stats: { totalPosts: 3, totalViews: 1200, monthlyVisitors: 40, totalLeads: 9 },
  visits: { days: 7, visitors: 12, daily: [], hasFile: false },
  posts: { draft: 1, scheduled: 0, published: 3 },
  ready: {
    about: false,
    tagline: true,
    skills: true,
    services: true,
    hours: true,
    posts: true,
    contactEmail: true,
    seo: true,
  },
};
const POSTS: ConsolePostList = {
  posts: [
    {
      id: "p1",
      slug: "engines",
      title: "Engines",
      tags: [],
      standing: "published",
      publishedAt: "2026-11-01T09:00:00Z",
      savedAt: "2026-11-01T09:00:00Z",
      changed: true,
      views: 12,
    },
  ],
  counts: { draft: 1, scheduled: 0, published: 1 },
  nextCursor: null,
};
const LESSON: Service = {
  id: "s1",
  name: "Lesson",
  description: "At your piano.",
  priceCents: 4500,
  currency: "USD",
  durationMinutes: 60,
  durationLabel: "",
  popular: true,
  features: [],
  openForBooking: false,
  overLimit: false,
};
const CONCERT: Service = { ...LESSON, id: "s2", name: "Concert", popular: false };
const PROFILE: SiteProfile = {
  revision: "7",
  character: "Ada's Engines",
  category: "technology",
  tagline: "They weave.",
  city: "Denver",
  primarySkills: ["Numbers"],
  about: "I count.",
  theme: { primaryColor: "#22c55e", secondaryColor: "#1d4ed8", icon: "star", emoji: "" },
  seoTitle: "",
  seoDescription: "",
  contactEmail: "",
  aboutOmissions: [],
  presetColors: [{ primaryColor: "#22c55e", secondaryColor: "#0ea5e9" }],
};

const PAGES = [
  ["/guru", "GET /api/guru/overview", OVERVIEW, "We couldn't load your stats", "1,200"],
  ["/guru/posts", "GET /api/guru/posts", POSTS, "We couldn't load your posts", "Engines"],
  [
    "/guru/services",
    "GET /api/guru/services",
    { shown: true, services: [LESSON, CONCERT] },
    "We couldn't load your services",
    "Lesson",
  ],
  ["/guru/site", "GET /api/guru/site", PROFILE, "We couldn't load your site", "About you"],
] as const;

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {
        return;
      }
      disconnect() {
        return;
      }
    },
  );
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/porch-light", { body: { available: false, until: null } });
  for (const [, route, body] of PAGES) responses.set(route, { body });
  responses.set("GET /api/guru/bookings/overview", {
    body: { next: [], requests: 0, waiversDue: 0, hasHours: true, unplaced: [], unplacedServices: [] },
  });
});

describe.each(PAGES)("%s", (at, route, body, errorTitle, text) => {
  it("shows a loading state, then its data", async () => {
    const { responder, release } = heldResponse(body);
    responses.set(route, responder);
    renderApp(at, ADA);
    await screen.findByRole("heading", { level: 1 });
    await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeTruthy());
    expect(screen.queryByText(text)).toBeNull();
    release();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(document.querySelector('[aria-busy="true"]')).toBeNull();
  });

  it("shows a load error and retries", async () => {
    responses.set(route, { status: 500 });
    renderApp(at, ADA);
    expect(await screen.findByText(errorTitle)).toBeTruthy();
    responses.set(route, { body });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(text)).toBeTruthy();
  });
});

describe("the overview", () => {
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
    const done = { ...OVERVIEW, site: { ...GURU, newLeads: 0 }, ready: { ...OVERVIEW.ready, about: true } };
    responses.set("GET /api/guru/overview", { body: done });
    renderApp("/guru", ADA);
    expect(await screen.findByText(/^You're all set/)).toBeTruthy();
  });
});

describe("the posts", () => {
  it("show the empty state and create a draft", async () => {
    responses.set("GET /api/guru/posts", { body: { ...POSTS, posts: [] } });
    responses.set("POST /api/guru/posts", { status: 201, body: { id: "p9" } });
    const { router } = renderApp("/guru/posts", ADA);
    const empty = await screen.findByText("No posts yet");
    const [button] = screen.getAllByRole("button", { name: "New post" });
    expect(empty).toBeTruthy();
    await userEvent.setup().click(button ?? empty);
    await waitFor(() => expect(router.state.location.pathname).toBe("/guru/posts/p9"));
  });

  it("are deleted only after confirming", async () => {
    responses.set("DELETE /api/guru/posts/p1", {});
    renderApp("/guru/posts", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Delete “Engines”" }));
    expect(bodies("DELETE /api/guru/posts/p1")).toEqual([]);
    responses.set("GET /api/guru/posts", { body: { ...POSTS, posts: [] } });
    await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
    expect(await screen.findByText("Post deleted.")).toBeTruthy();
    expect(await screen.findByText("No posts yet")).toBeTruthy();
  });
});

describe("the services", () => {
  it("show the empty state", async () => {
    responses.set("GET /api/guru/services", { body: { shown: true, services: [] } });
    renderApp("/guru/services", ADA);
    expect(await screen.findByText("No services yet")).toBeTruthy();
  });

  it("say that an approval is missing before visitors see them", async () => {
    responses.set("GET /api/guru/services", { body: { shown: false, services: [LESSON] } });
    renderApp("/guru/services", ADA);
    expect(await screen.findByText(/^Visitors see your services and free times once/)).toBeTruthy();
  });

  it("are added with a valid price, and the input kept on errors", async () => {
    responses.set("POST /api/guru/services", { status: 503 });
    renderApp("/guru/services", ADA);
    const user = userEvent.setup();
    await screen.findByRole("list", { name: "Services" });
    await user.click(screen.getByRole("button", { name: "Add a service" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add a service" }));
    await user.type(dialog.getByLabelText("Name"), "Tuning");
    await user.click(dialog.getByRole("button", { name: "Save service" }));
    expect(await dialog.findByText(/^Enter a price/)).toBeTruthy();
    await user.type(dialog.getByLabelText("Price ($)"), "19.50");
    await user.click(dialog.getByRole("button", { name: "Save service" }));
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>("Name").value).toBe("Tuning");
    const tuning = { ...LESSON, id: "s3", name: "Tuning", priceCents: 1950 };
    responses.set("POST /api/guru/services", {
      status: 201,
      body: { shown: true, services: [LESSON, CONCERT, tuning] },
    });
    await user.click(dialog.getByRole("button", { name: "Save service" }));
    expect(await screen.findByRole("heading", { name: "Tuning" })).toBeTruthy();
    expect(bodies("POST /api/guru/services").at(-1)).toMatchObject({
      name: "Tuning",
      priceCents: 1950,
      durationMinutes: 60,
    });
  });

  it("are reordered and announce their place", async () => {
    responses.set("PUT /api/guru/service-order", { body: { shown: true, services: [CONCERT, LESSON] } });
    renderApp("/guru/services", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Move Lesson down" }));
    expect(await screen.findByText("Lesson is now 2 of 2.")).toBeTruthy();
    expect(bodies("PUT /api/guru/service-order")).toEqual([{ ids: ["s2", "s1"] }]);
    const names = within(screen.getByRole("list", { name: "Services" })).getAllByRole("heading");
    expect(names.map((name) => name.textContent)).toEqual(["Concert", "Lesson"]);
  });
});

describe("the site form", () => {
  async function editTagline() {
    renderApp("/guru/site", ADA);
    const tagline = await screen.findByLabelText<HTMLInputElement>(/^Tagline/);
    const user = userEvent.setup();
    await user.type(tagline, " And think.");
    return { user, tagline, save: () => user.click(screen.getByRole("button", { name: "Save changes" })) };
  }

  it("saves only changed fields", async () => {
    responses.set("PUT /api/guru/site", { body: { ...PROFILE, revision: "8", tagline: "They weave. And think." } });
    const { save } = await editTagline();
    await save();
    expect(await screen.findByText("Saved. Your changes are live.")).toBeTruthy();
    expect(bodies("PUT /api/guru/site")).toEqual([{ tagline: "They weave. And think.", revision: "7" }]);
  });

  it("saves on top of another tab's changes after a conflict", async () => {
    responses.set("PUT /api/guru/site", { status: 409, body: { code: "changed_elsewhere", message: "Changed." } });
    const { user, tagline, save } = await editTagline();
    await save();
    const saveOnTop = await screen.findByRole("button", { name: "Save my changes on top" });
    const theirs = { ...PROFILE, revision: "9", city: "Boulder" };
    responses.set("GET /api/guru/site", { body: theirs });
    responses.set("PUT /api/guru/site", { body: { ...theirs, revision: "10", tagline: "They weave. And think." } });
    await user.click(saveOnTop);
    expect(await screen.findByText("Saved. Your changes are live.")).toBeTruthy();
    expect(bodies("PUT /api/guru/site").at(-1)).toEqual({ tagline: "They weave. And think.", revision: "9" });
    expect(tagline.value).toBe("They weave. And think.");
    expect(screen.getByLabelText<HTMLInputElement>(/^City/).value).toBe("Boulder");
  });

  it("previews the page whose text is edited", async () => {
    renderApp("/guru/site", ADA);
    await userEvent.setup().click(await screen.findByLabelText(/^About/, { selector: "textarea" }));
    const pages = within(screen.getByRole("group", { name: "Page" })).getAllByRole("button");
    expect(pages.map((page) => [page.textContent, page.getAttribute("aria-pressed")])).toEqual([
      ["Home", "false"],
      ["About", "true"],
      ["Services", "false"],
    ]);
  });
});

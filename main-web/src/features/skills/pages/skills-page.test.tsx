import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { detailLabel, filterCategories, shownKeywords } from "../lib/labels";
import { getMatches } from "../api/get-matches";
import type { SkillCategory } from "../api/get-skills";
import bundled from "@porchlight/shared/catalog.gen.json";
import { formatDuration } from "@porchlight/shared/format/numbers";

const BUNDLED_CATEGORIES = bundled.categories as SkillCategory[];

const { responses, calls } = apiServer();

const ALL = {
  skills: BUNDLED_CATEGORIES.flatMap(({ name, keywords }) => keywords.map((word) => ({ name: word, category: name }))),
  categories: BUNDLED_CATEGORIES,
  total: 145,
};
const SUGGESTIONS = "GET /api/skills/suggestions/autocomplete";

function serve() {
  responses.set("GET /api/skills", { body: ALL });
  responses.set("GET /api/skills?popular=true", {
    body: { ...ALL, skills: ALL.skills.slice(0, 3), categories: ALL.categories.filter(({ popular }) => popular) },
  });
  responses.set(SUGGESTIONS, {
    body: {
      suggestions: [
        { name: "guitar", category: "Creative" },
        { name: "graphic design", category: "Creative" },
      ],
    },
  });
}

const cards = async () => (await screen.findAllByRole("heading", { level: 2 })).map((heading) => heading.textContent);
const field = () => screen.findByRole("combobox", { name: "Search skills" });
const lists = () => calls.map(({ route }) => route).filter((route) => /^GET \/api\/skills(\?|$)/.test(route));

describe("browsing", () => {
  it("shows a loading state, then ten categories and the skill count", async () => {
    serve();
    renderApp("/skills");
    expect(await screen.findByText("Loading skills...")).toBeTruthy();
    expect(await screen.findByRole("tab", { name: `Browse Skills (${ALL.skills.length})` })).toBeTruthy();
    const categories = async () =>
      (await cards()).filter((name) => BUNDLED_CATEGORIES.some((one) => one.name === name));
    await waitFor(async () => expect(await categories()).toHaveLength(10));
  });

  it.each([
    ["Messages and reviews", { messaging: false, reviews: false }],
    ["Reviews", { messaging: true, reviews: false }],
    ["Messages", { messaging: false, reviews: true }],
  ])("says what is still coming: %s", async (what, flags) => {
    serve();
    responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags } });
    renderApp("/skills");
    expect(await screen.findByText(`${what} are coming to SkillShare soon.`)).toBeTruthy();
    expect(screen.getByRole("complementary", { name: "Advanced features are coming soon" })).toBeTruthy();
  });

  it("has no banner once everything is there", async () => {
    serve();
    renderApp("/skills");
    await screen.findByRole("heading", { name: "Martial Arts" });
    expect(screen.queryByRole("complementary", { name: "Advanced features are coming soon" })).toBeNull();
  });

  it("shows six keywords, templates, and warnings only for risky ones", async () => {
    serve();
    renderApp("/skills");
    const risky = within((await screen.findByRole("heading", { name: "Martial Arts" })).closest("li") as HTMLElement);
    expect(within(risky.getByRole("list", { name: "Skills" })).getAllByRole("listitem")).toHaveLength(6);
    expect(risky.getByText("High Risk")).toBeTruthy();
    expect(risky.getByText("Waiver Required")).toBeTruthy();
    expect(risky.getByText("AI Coach")).toBeTruthy();
    expect(risky.getByText("Self-defense basics")).toBeTruthy();
    expect(risky.getByText("45 min")).toBeTruthy();
    const calm = within(screen.getByRole("heading", { name: "Language" }).closest("li") as HTMLElement);
    expect(calm.queryByText("High Risk")).toBeNull();
    expect(calm.queryByText("Waiver Required")).toBeNull();
  });

  it("shows a banner and the bundled categories on load errors", async () => {
    responses.set("GET /api/skills", { status: 503 });
    renderApp("/skills");
    const banner = within(await screen.findByRole("alert"));
    expect(banner.getByText("Unable to load skills")).toBeTruthy();
    expect(banner.getByText("Server error. Please try again later.")).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "Woodworking" })).toBeTruthy();
    expect(screen.getByRole("tab", { name: "Browse Skills (All)" })).toBeTruthy();
  });

  it("caches responses for five minutes and errors never", async () => {
    responses.set("GET /api/skills", { status: 500 });
    const { router } = renderApp("/skills");
    await screen.findByRole("alert");
    serve();
    const user = userEvent.setup();
    await user.click(screen.getByRole("tab", { name: "Session Templates" }));
    await screen.findByRole("heading", { name: "Creative" });
    await user.click(screen.getByRole("tab", { name: /^Browse Skills/ }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    await router.navigate("/skills?tab=sessions");
    await router.navigate("/skills");
    await screen.findByRole("tab", { name: `Browse Skills (${ALL.skills.length})` });
    expect(lists()).toEqual(["GET /api/skills", "GET /api/skills?popular=true", "GET /api/skills"]);
  });
});

describe("searching", () => {
  it("filters names and keywords, and keeps the text in the URL", async () => {
    serve();
    const { router } = renderApp("/skills");
    await userEvent.setup().type(await field(), "GUITAR");
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Language" })).toBeNull());
    expect(screen.getByRole("heading", { name: "Creative" })).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toBe("?q=GUITAR"));
  });

  it("reads the text from the URL and shows the empty state", async () => {
    serve();
    responses.set("GET /api/search", { body: { hits: [], total: 0, cells: [], next: null, pending: false } });
    renderApp("/skills?q=zorb");
    expect(await screen.findByText("No skills match your search")).toBeTruthy();
    expect((await field()).getAttribute("value")).toBe("zorb");
  });

  it("requests eight suggestions from two characters on", async () => {
    serve();
    renderApp("/skills");
    const user = userEvent.setup();
    await user.type(await field(), "g");
    expect((await field()).getAttribute("aria-expanded")).toBe("false");
    await user.type(await field(), "i");
    expect(await screen.findAllByRole("option")).toHaveLength(2);
    expect((await field()).getAttribute("aria-expanded")).toBe("true");
    const requests = calls.map(({ route }) => route).filter((route) => route.startsWith(SUGGESTIONS));
    expect(requests).toEqual([`${SUGGESTIONS}?q=gi&limit=8`]);
    await user.keyboard("{Backspace}");
    await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  });

  it("works with arrows, Enter and Escape", async () => {
    serve();
    renderApp("/skills");
    const user = userEvent.setup();
    await user.type(await field(), "gi");
    await screen.findAllByRole("option");
    await user.keyboard("{ArrowDown}{ArrowDown}");
    const second = screen.getByRole("option", { selected: true });
    expect(second.textContent).toContain("graphic design");
    expect((await field()).getAttribute("aria-activedescendant")).toBe(second.id);
    await user.keyboard("{ArrowDown}{Enter}");
    expect((await field()).getAttribute("value")).toBe("guitar");
    expect(screen.queryByRole("option")).toBeNull();
    await user.keyboard("{Backspace}");
    await screen.findAllByRole("option");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("option")).toBeNull();
    expect((await field()).getAttribute("value")).toBe("guita");
    expect(document.activeElement).toBe(await field());
  });

  it("closes on a click or 200 ms after blur", async () => {
    serve();
    renderApp("/skills");
    const user = userEvent.setup();
    await user.type(await field(), "gi");
    await user.click(await screen.findByRole("option", { name: /guitar/ }));
    expect((await field()).getAttribute("value")).toBe("guitar");
    expect(screen.queryByRole("option")).toBeNull();
    await user.type(await field(), "{Backspace}");
    await screen.findAllByRole("option");
    (await field()).blur();
    expect(screen.queryAllByRole("option")).not.toHaveLength(0);
    await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  });

  it("only logs when suggestions fail", async () => {
    serve();
    responses.set(SUGGESTIONS, { status: 500 });
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    renderApp("/skills");
    await userEvent.setup().type(await field(), "gui");
    await waitFor(() => expect(warned).toHaveBeenCalledWith("Could not load suggestions.", expect.anything()));
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the other tabs", () => {
  it("request popular categories for session templates", async () => {
    serve();
    const { router } = renderApp("/skills");
    await userEvent.setup().click(await screen.findByRole("tab", { name: "Session Templates" }));
    expect(router.state.location.search).toBe("?tab=sessions");
    expect(await screen.findByText("First chords")).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Electrical" })).toBeNull();
    expect(lists()).toContain("GET /api/skills?popular=true");
  });

  it("ask signed-out users to sign in without a request", async () => {
    serve();
    renderApp("/skills?tab=ai-coach");
    expect(await screen.findByText("Sign in to access AI-powered skill matching")).toBeTruthy();
    expect(screen.getByRole("tab", { name: "AI Coaching" })).toBeTruthy();
    expect(calls.filter(({ route }) => route.includes("matches"))).toEqual([]);
  });

  it("show matches with two reasons each", async () => {
    serve();
    responses.set("GET /api/skills/matches/u1?limit=6&minScore=5", {
      body: {
        targetUserId: "u1",
        algorithm: "test",
        matches: [
          {
            user: { name: "Grace" },
            matchScore: 86.6,
            matchDetails: [
              { type: "direct_match", teacherSkill: "piano" },
              { type: "reverse_match", learnerWant: "chess" },
              { type: "location_bonus", city: "Denver" },
            ],
          },
          { user: null, matchScore: 40, matchDetails: [{ type: "location_bonus", city: "Boulder" }] },
        ],
      },
    });
    renderApp("/skills?tab=ai-coach", ADA);
    expect(await screen.findByRole("heading", { name: "Grace" })).toBeTruthy();
    expect(screen.getByText("87% match")).toBeTruthy();
    expect(screen.getByText("Teaches piano")).toBeTruthy();
    expect(screen.getByText("Wants to learn chess")).toBeTruthy();
    expect(screen.queryByText("Near you, in Denver")).toBeNull();
    expect(screen.getByRole("heading", { name: "Anonymous User" })).toBeTruthy();
    expect(screen.getByText("Near you, in Boulder")).toBeTruthy();
    expect(screen.getByRole("tab", { name: "AI Coaching (2)" })).toBeTruthy();
  });

  it("are counted for signed-in users before the tab is opened", async () => {
    serve();
    responses.set("GET /api/skills/matches/u1?limit=6&minScore=5", {
      body: { targetUserId: "u1", algorithm: "skills", matches: [{ user: null, matchScore: 40, matchDetails: [] }] },
    });
    renderApp("/skills", ADA);
    expect(await screen.findByRole("tab", { name: "AI Coaching (1)" })).toBeTruthy();
    expect(screen.getByRole("tab", { name: /^Browse Skills/ }).getAttribute("aria-selected")).toBe("true");
  });

  it("say that loading failed and try again, and need a user", async () => {
    serve();
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const route = "GET /api/skills/matches/u1?limit=6&minScore=5";
    responses.set(route, { status: 503 });
    renderApp("/skills?tab=ai-coach", ADA);
    expect(await screen.findByText("We couldn't load your matches")).toBeTruthy();
    expect(screen.queryByText("No matches yet")).toBeNull();
    expect(screen.getByRole("tab", { name: "AI Coaching" })).toBeTruthy();
    await waitFor(() => expect(warned).toHaveBeenCalledWith("Could not load matches.", expect.anything()));
    responses.set(route, { body: { targetUserId: "u1", algorithm: "skills", matches: [] } });
    await userEvent.setup().click(screen.getByRole("button", { name: /try again/i }));
    expect(await screen.findByText("No matches yet")).toBeTruthy();
    await expect(getMatches(null)).rejects.toThrow("User ID is required");
  });
});

describe("booking and finding teachers", () => {
  const clickButton = async (name: string) => {
    const card = (await screen.findByRole("heading", { name: "Creative" })).closest("li") as HTMLElement;
    await userEvent.setup().click(within(card).getByRole("button", { name }));
  };

  it("sends signed-out users to login with a message", async () => {
    serve();
    const { router } = renderApp("/skills?q=guitar");
    await clickButton("Book Session");
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(router.state.location.state).toEqual({
      from: "/dashboard?action=book-skill-session&category=Creative&message=Book+a+Creative+session",
      message: "Please sign in to book a Creative session.",
    });
  });

  it.each([
    ["Book Session", "book-skill-session", "Book a Creative session"],
    ["Find Teachers", "find-teachers", "Find Creative teachers"],
  ])("%s sends signed-in users to the dashboard", async (name, action, message) => {
    serve();
    const { router } = renderApp("/skills", ADA);
    await clickButton(name);
    await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
    expect(router.state.location.state).toEqual({ action, category: "Creative", message });
  });
});

describe("labels", () => {
  it("list matching keywords first", () => {
    const creative = BUNDLED_CATEGORIES.find(({ slug }) => slug === "creative");
    if (!creative) throw new Error("no such category");
    expect(creative.keywords.indexOf("violin")).toBeGreaterThan(6);
    expect(shownKeywords(creative, "VIOL")[0]).toBe("violin");
    expect(shownKeywords(creative, "")).toHaveLength(6);
  });

  it("filter by name and by keyword", () => {
    expect(filterCategories(BUNDLED_CATEGORIES, " martial ").map(({ slug }) => slug)).toEqual(["martial-arts"]);
    expect(filterCategories(BUNDLED_CATEGORIES, "")).toHaveLength(10);
  });

  it.each([
    [30, "30 min"],
    [60, "1 h"],
    [90, "1 h 30 min"],
    [240, "4 h"],
  ])("format %i minutes as %s", (minutes, text) => expect(formatDuration(minutes)).toBe(text));

  it("are null for unknown reasons", () => {
    expect(detailLabel({ type: "new_kind" } as never)).toBeNull();
  });
});

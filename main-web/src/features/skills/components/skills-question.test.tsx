import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const TITLE = "What would you like to learn? What could you teach?";
const PROFILE = {
  id: "p1",
  firstName: "Ada",
  displayName: "Ada",
  photoURL: "",
  bio: "",
  location: "",
  skills: { offered: [] as object[], wanted: [] as object[] },
};
const MATCHES = { matches: [] as object[], moreMatches: 0, moreWithPlan: 0, targetUserId: "p1", algorithm: "x" };
const LEA = {
  user: { name: "Lea", handle: "lea", photoURL: "" },
  matchScore: 88,
  matchDetails: [{ type: "direct_match", teacherSkill: "Guitar lessons" }],
  miles: 2,
};

beforeEach(() => {
  localStorage.clear();
  responses.set("GET /api/auth/profile", { body: PROFILE });
  responses.set("GET /api/skills/matches/u1", { body: MATCHES });
});

describe("the question about skills", () => {
  it("saves the answers and shows at once who fits", async () => {
    const user = userEvent.setup();
    const saved = { ...PROFILE, skills: { offered: [{ name: "Chess" }], wanted: [{ name: "Guitar" }] } };
    responses.set("PUT /api/auth/profile", () => {
      responses.set("GET /api/auth/profile", { body: saved });
      return { body: saved };
    });
    renderApp("/dashboard", ADA);
    const question = within(await screen.findByRole("region", { name: TITLE }));
    expect(question.getByRole<HTMLButtonElement>("button", { name: "Show who fits" }).disabled).toBe(true);
    await user.type(question.getByLabelText("I'd like to learn"), "Guitar{Enter}");
    expect(question.getByRole("button", { name: "Remove Guitar" })).toBeTruthy();
    // What is typed counts without "Add".
    await user.type(question.getByLabelText("I could teach"), "Chess");
    await user.type(question.getByLabelText(/^Your town/), "Denver, Colorado");
    await user.click(question.getByRole("button", { name: "Show who fits" }));
    expect(await screen.findByRole("heading", { name: "Looking for neighbors who fit…" })).toBeTruthy();
    // The worker compares the new skills a moment later.
    responses.set("GET /api/skills/matches/u1", { body: { ...MATCHES, matches: [LEA] } });
    const found = within(await screen.findByRole("region", { name: "These neighbors fit" }, { timeout: 5000 }));
    expect(found.getByText("Teaches Guitar lessons")).toBeTruthy();
    expect(calls.find(({ route }) => route === "PUT /api/auth/profile")?.body).toEqual({
      skills: { wanted: ["Guitar"], offered: ["Chess"] },
      location: "Denver, Colorado",
    });
    await user.click(found.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("region", { name: "These neighbors fit" })).toBeNull();
  });

  it("keeps the answers when saving fails", async () => {
    const user = userEvent.setup();
    responses.set("PUT /api/auth/profile", { status: 500 });
    renderApp("/dashboard", ADA);
    await user.type(await screen.findByLabelText("I could teach"), "Chess, Knitting{Enter}");
    await user.click(screen.getByRole("button", { name: "Show who fits" }));
    expect(await screen.findByText("Failed to update profile")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Remove Knitting" })).toBeTruthy();
  });

  it("does not come back once it is skipped", async () => {
    const user = userEvent.setup();
    renderApp("/dashboard", ADA);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(screen.queryByText(TITLE)).toBeNull();
    cleanup();
    renderApp("/dashboard", ADA);
    await screen.findByRole("heading", { level: 1, name: "Good to see you, Ada" });
    await waitFor(() =>
      expect(calls.filter(({ route }) => route === "GET /api/auth/profile").length).toBeGreaterThan(1),
    );
    expect(screen.queryByText(TITLE)).toBeNull();
  });

  it("is not asked of someone who has a skill", async () => {
    responses.set("GET /api/auth/profile", { body: { ...PROFILE, skills: { offered: [], wanted: [{ name: "Go" }] } } });
    renderApp("/dashboard", ADA);
    await screen.findByRole("heading", { level: 1, name: "Good to see you, Ada" });
    expect(screen.queryByText(TITLE)).toBeNull();
  });
});

describe("the matches tab", () => {
  it("shows all on request, and leads to a plan and back", async () => {
    const user = userEvent.setup();
    const first = { ...MATCHES, matches: [LEA], moreMatches: 1, moreWithPlan: 4 };
    const tom = { ...LEA, user: { name: "Tom", handle: "tom", photoURL: "" } };
    responses.set("GET /api/skills/matches/u1", ({ route }) => ({
      body: route.includes("limit=50") ? { ...first, matches: [LEA, tom], moreMatches: 0 } : first,
    }));
    renderApp("/skills?tab=ai-coach", ADA);
    await user.click(await screen.findByRole("button", { name: "Show 1 more" }));
    expect(await screen.findByText("Tom")).toBeTruthy();
    const plans = screen.getByRole("link", { name: "See 4 more matches with Skill Sharer, $9 a month" });
    expect(plans.getAttribute("href")).toBe("/pricing?returnTo=%2Fskills%3Ftab%3Dai-coach");
  });
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { EXCHANGE, SESSION } from "@/testing/next-session";
import { ADA, renderApp } from "@/testing/render-app";

const { responses } = apiServer();
const NO_MATCHES = { matches: [], moreMatches: 0, moreWithPlan: 0, targetUserId: "u1", algorithm: "x" };
const UNVERIFIED = { ...ADA, user: { ...ADA.user, emailVerified: false } };

describe("the dashboard", () => {
  it.each([
    ["book-skill-session", "Martial Arts", "/skills?q=Martial+Arts"],
    ["find-teachers", "Woodworking", "/skills?q=Woodworking"],
    ["book-service", "Pets", "/angels-list?category=Pets"],
    ["book-service", "", "/angels-list"],
  ])("links %s for %j to %s", async (action, category, to) => {
    renderApp({ pathname: "/dashboard", state: { action, category, message: "What I came for" } }, ADA);
    expect(await screen.findByText("What I came for")).toBeTruthy();
    expect(screen.getByRole("link", { name: /^Back to/ }).getAttribute("href")).toBe(to);
  });

  it("ignores unknown actions", async () => {
    renderApp({ pathname: "/dashboard", state: { action: "pay", message: "Send money" } }, ADA);
    await screen.findByRole("heading", { level: 1 });
    expect(screen.queryByText("Send money")).toBeNull();
  });

  it("sends the verification email again and shows errors", async () => {
    const resendVerification = vi
      .fn<() => Promise<void>>()
      .mockResolvedValueOnce(undefined)
      .mockRejectedValueOnce(Object.assign(new Error("no"), { code: "auth/too-many-requests" }));
    renderApp("/dashboard", UNVERIFIED, { resendVerification });
    const button = await screen.findByRole("button", { name: "Resend email" });
    await userEvent.click(button);
    expect(await screen.findByText("Verification email sent! Check your inbox.")).toBeTruthy();
    await userEvent.click(button);
    expect(await screen.findByText("Too many failed attempts. Please try again later.")).toBeTruthy();
  });

  it("checks again whether the address is verified", async () => {
    renderApp("/dashboard", UNVERIFIED, { checkVerification: () => Promise.resolve(false) });
    await userEvent.click(await screen.findByRole("button", { name: "I've verified my email" }));
    expect(await screen.findByText("Not verified yet. Click the link in your email first.")).toBeTruthy();
  });

  it("says which card didn't load instead of nothing to do", async () => {
    responses.set("GET /api/own-needs", { status: 500 });
    renderApp("/dashboard", ADA);
    const text = await screen.findByText("We couldn't load your needs.");
    const notice = within(text.closest<HTMLElement>('[role="alert"]') ?? document.body);
    const need = { id: "n1", title: "Fix my fence", status: "open", offers: 2 };
    responses.set("GET /api/own-needs", { body: { needs: [need], nextCursor: null } });
    await userEvent.click(notice.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("You have 2 offers to choose from.")).toBeTruthy();
    expect(screen.queryByText("We couldn't load your needs.")).toBeNull();
  });

  it("hides the card of verified users", async () => {
    renderApp("/dashboard", ADA);
    await screen.findByRole("heading", { level: 1 });
    expect(screen.queryByText("Verify your email")).toBeNull();
  });

  it("opens with the earliest session of all kinds", async () => {
    const later = { ...SESSION, id: "late", startsAt: "2031-12-09T16:00:00Z" };
    responses.set("GET /api/guru", { body: { guru: null } });
    responses.set("GET /api/bookings", { body: { bookings: [later], nextCursor: null } });
    responses.set("GET /api/exchanges", { body: { exchanges: [EXCHANGE], nextCursor: null } });
    renderApp("/dashboard", ADA);
    const block = within(await screen.findByRole("region", { name: "Your next session" }));
    expect(await block.findByRole("heading", { name: "Chess: Lea teaches you" })).toBeTruthy();
    expect(block.getByRole("link", { name: "See details" }).getAttribute("href")).toBe("/exchanges/e1");
  });

  it("leads on where a block is empty", async () => {
    responses.set("GET /api/guru", { body: { guru: null } });
    responses.set("GET /api/bookings", { body: { bookings: [], nextCursor: null } });
    responses.set("GET /api/exchanges", { body: { exchanges: [], nextCursor: null } });
    responses.set("GET /api/angel-services", { body: { services: [] } });
    responses.set("GET /api/needs", { body: { needs: [], nextCursor: null } });
    responses.set("GET /api/need-offers", { body: { offers: [], nextCursor: null } });
    responses.set("GET /api/search/saved/new-results", { body: { searches: [] } });
    responses.set("GET /api/skills/matches/u1", { body: NO_MATCHES });
    renderApp("/dashboard", ADA);
    for (const name of ["Find something to learn", "Say what you help with", "Add your skills", "Search"]) {
      expect(await within(await screen.findByRole("main")).findByRole("link", { name })).toBeTruthy();
    }
  });

  it("shows new matches, needs and results of saved searches", async () => {
    const match = (handle: string, teacherSkill: string) => ({
      user: { name: handle, handle, photoURL: "" },
      matchScore: 80,
      matchDetails: [{ type: "direct_match", teacherSkill }],
      miles: 1,
    });
    responses.set("GET /api/skills/matches/u1", { body: { ...NO_MATCHES, matches: [match("lea", "Chess")] } });
    const filters = {
      kind: null,
      near: "",
      withinMiles: null,
      maxPriceCents: null,
      format: null,
      language: "",
      day: null,
    };
    const found = { id: "s1", q: "loom", filters, results: 2, first: "Weaving" };
    responses.set("GET /api/search/saved/new-results", { body: { searches: [found] } });
    renderApp("/dashboard", ADA);
    const matches = within(await screen.findByRole("region", { name: "People you match with" }));
    expect(await matches.findByText("Teaches Chess")).toBeTruthy();
    expect(await matches.findByText("New")).toBeTruthy();
    expect(screen.getByText("“loom”: 2 new results")).toBeTruthy();
    expect(screen.getByRole("link", { name: "See them: loom" }).getAttribute("href")).toBe("/search?q=loom");
  });

  it("lists what the profile lacks", async () => {
    const body = {
      firstName: "Countess",
      displayName: "Ada",
      photoURL: "",
      bio: "I count.",
      location: "",
      skills: { offered: [{ name: "x" }], wanted: [] },
    };
    responses.set("GET /api/auth/profile", { body });
    renderApp("/dashboard", ADA);
    expect(await screen.findByText("Add a photo and your city so neighbors can find you.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Edit profile" }).getAttribute("href")).toBe("/profile");
    expect(screen.getByRole("heading", { level: 1, name: "Good to see you, Countess" })).toBeTruthy();
  });
});

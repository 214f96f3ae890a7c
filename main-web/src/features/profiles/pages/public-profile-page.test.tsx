import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();

describe("a public profile", () => {
  const body = {
    handle: "ada-lovelace",
    displayName: "Ada Lovelace",
    bio: "I count.",
    location: "Denver, Colorado",
    photoURL: "",
    skills: { offered: [{ name: "Knitting", level: "expert" }], wanted: [] },
    languages: ["English"],
    availability: "",
    memberSince: "2026-10-03T09:00:00Z",
  };
  const WORK = { serviceId: "pet-sitting", title: "Pet Sitting", rateCents: 2200, jobs: 3, rating: 4.5, ratings: 2 };
  const REVIEW = { service: "Pet Sitting", hours: 1, rating: 5, words: "", date: "2026-11-20", author: "" };

  beforeEach(() => {
    responses.set("GET /api/users/ada-lovelace", { body });
    responses.set("GET /api/users/ada-lovelace/reviews", {
      body: { services: [], answerMinutes: null, reviews: [], nextCursor: null },
    });
  });

  it("shows the visible fields", async () => {
    renderApp("/u/ada-lovelace");
    expect(await screen.findByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeTruthy();
    expect(screen.getByText("@ada-lovelace · neighbor since Oct 3, 2026")).toBeTruthy();
    expect(screen.getByText("Denver, Colorado")).toBeTruthy();
    expect(screen.getByText("Knitting")).toBeTruthy();
    expect(screen.queryByText("Would like to learn")).toBeNull();
    await waitFor(() => expect(calls.map((call) => call.route)).toContain("GET /api/users/ada-lovelace/reviews"));
    expect(screen.queryByRole("heading", { name: "Help and reviews" })).toBeNull();
  });

  it("shows the prices, jobs and reviews of an angel, page by page", async () => {
    responses.set("GET /api/users/ada-lovelace/reviews", ({ route }) => ({
      body: route.includes("cursor=next")
        ? { services: [WORK], answerMinutes: 95, reviews: [{ ...REVIEW, id: "r2", words: "Kind." }], nextCursor: null }
        : {
            services: [WORK],
            answerMinutes: 95,
            reviews: [{ ...REVIEW, id: "r1", words: "On time." }],
            nextCursor: "next",
          },
    }));
    renderApp("/u/ada-lovelace#reviews");
    const heading = await screen.findByRole("heading", { name: "Help and reviews" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(screen.getByText("from $22/hr")).toBeTruthy();
    expect(screen.getByText("3 jobs done")).toBeTruthy();
    expect(screen.getByText("Usually answers within 2 hours")).toBeTruthy();
    expect(screen.getByRole("figure").textContent).toContain("A neighbor · Pet Sitting, about 1 hour · Nov 20, 2026");
    expect(screen.getByRole("link", { name: "Ask for help with Pet Sitting" }).getAttribute("href")).toBe(
      "/needs/new?service=pet-sitting&angel=ada-lovelace",
    );
    await userEvent.setup().click(screen.getByRole("button", { name: "Show more reviews" }));
    expect(await screen.findByText("Kind.")).toBeTruthy();
    expect(screen.getByText("On time.")).toBeTruthy();
  });

  it("sends a question once and keeps the text on an error", async () => {
    responses.set("GET /api/users/theo-barnes", {
      body: { ...body, handle: "theo-barnes", displayName: "Theo Barnes" },
    });
    responses.set("GET /api/users/theo-barnes/reviews", {
      body: { services: [], answerMinutes: null, reviews: [], nextCursor: null },
    });
    const path = "POST /api/users/theo-barnes/questions";
    responses.set(path, { status: 503 });
    renderApp("/u/theo-barnes", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Ask Theo" }));
    const field = await screen.findByLabelText("Your question");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.click(screen.getByRole("button", { name: "Send question" }));
    expect(screen.getByText("Please write your question")).toBeTruthy();
    await user.type(field, "Do you teach beginners?");
    await user.click(screen.getByRole("button", { name: "Send question" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Ask Theo" }));
    expect((await screen.findByLabelText<HTMLTextAreaElement>("Your question")).value).toBe("Do you teach beginners?");
    responses.set(path, { status: 201, body: { message: "Your question is on its way." } });
    await user.click(screen.getByRole("button", { name: "Send question" }));
    expect(await screen.findByText("Your question is on its way.")).toBeTruthy();
    expect(calls.filter((call) => call.route === path).at(-1)?.body).toEqual({ body: "Do you teach beginners?" });
  });

  it("has no question to oneself", async () => {
    responses.set("GET /api/auth/profile", { body });
    renderApp("/u/ada-lovelace", ADA);
    await screen.findByRole("heading", { level: 1, name: "Ada Lovelace" });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Ask Ada" })).toBeNull());
  });

  it("asks visitors to sign in before a question", async () => {
    renderApp("/u/ada-lovelace");
    await userEvent.setup().click(await screen.findByRole("button", { name: "Ask Ada" }));
    expect(await screen.findByText("Sign in to ask Ada")).toBeTruthy();
  });

  it("says that its reviews failed, and retries", async () => {
    responses.set("GET /api/users/ada-lovelace/reviews", { status: 503 });
    renderApp("/u/ada-lovelace");
    expect(await screen.findByText("We couldn't load the reviews")).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeTruthy();
    const body = { services: [WORK], answerMinutes: null, reviews: [], nextCursor: null };
    responses.set("GET /api/users/ada-lovelace/reviews", { body });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "Can help with" })).toBeTruthy();
  });

  it("shows a message if unknown, without a retry", async () => {
    responses.set("GET /api/users/unknown", { status: 404, body: { code: "not_found", message: "Not found." } });
    renderApp("/u/unknown");
    expect(await screen.findByRole("heading", { level: 1, name: "Profile not found" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("shows a load error and retries", async () => {
    responses.set("GET /api/users/ada-lovelace", { status: 503 });
    renderApp("/u/ada-lovelace");
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

import { act, screen, waitFor, within } from "@testing-library/react";
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

  it("leads to a message, but not to oneself", async () => {
    responses.set("GET /api/users/theo-barnes", {
      body: { ...body, handle: "theo-barnes", displayName: "Theo Barnes" },
    });
    responses.set("GET /api/auth/profile", { body });
    const { router } = renderApp("/u/theo-barnes", ADA);
    const link = await screen.findByRole("link", { name: "Message Theo" });
    expect(link.getAttribute("href")).toBe("/messages/new?to=profile%3Atheo-barnes");
    await act(() => router.navigate("/u/ada-lovelace"));
    await screen.findByRole("heading", { level: 1, name: "Ada Lovelace" });
    await waitFor(() => expect(screen.queryByRole("link", { name: "Message Ada" })).toBeNull());
  });

  it("lets a signed-in neighbor block, after saying what it means", async () => {
    responses.set("PUT /api/users/ada-lovelace/block", { body: {} });
    responses.set("GET /api/auth/profile", { body: { ...body, handle: "someone-else" } });
    const { router } = renderApp("/u/ada-lovelace", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Block Ada" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Block Ada?" });
    expect(dialog.textContent).toContain("We don't tell Ada.");
    await user.click(within(dialog).getByRole("button", { name: "Block" }));
    expect(await screen.findByText("You blocked Ada.")).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
  });

  it("asks visitors to sign in before a message", async () => {
    renderApp("/u/ada-lovelace");
    await userEvent.setup().click(await screen.findByRole("link", { name: "Message Ada" }));
    expect(await screen.findByText("Sign in to message Ada")).toBeTruthy();
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

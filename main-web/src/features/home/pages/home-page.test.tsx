import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import type { HomeContent } from "../api/get-home";

const { responses } = apiServer();

const CONTENT: HomeContent = {
  gurus: [
    {
      subdomain: "cooking",
      character: "Chef Guru",
      category: "culinary",
      tagline: "At your own stove.",
      url: "https://cooking.porchlight.example/",
      theme: { primaryColor: "#e4572e", secondaryColor: "#f3a712", icon: "utensils", emoji: "🍳" },
    },
    {
      subdomain: "odd",
      character: "Odd Guru",
      category: "general",
      tagline: "",
      url: "javascript:alert(1)",
      theme: { primaryColor: "red;background:url(x)", secondaryColor: "#f3a712", icon: "rocket" as never, emoji: "★" },
    },
  ],
  posts: [
    {
      title: "A soup",
      excerpt: "With salt.",
      url: "https://cooking.porchlight.example/blog/a-soup",
      guru: { character: "Chef Guru", subdomain: "cooking" },
      publishedAt: "2026-10-03T23:30:00Z",
      readTime: "3 min read",
    },
  ],
};

describe("home", () => {
  it("links to signup, services and the two areas", async () => {
    renderApp("/");
    const main = await screen.findByRole("main");
    const to = async (name: string) => (await within(main).findByRole("link", { name })).getAttribute("href");
    expect(await to("Start Your Journey")).toBe("/signup");
    expect(await to("Browse Services")).toBe("/angels-list");
    expect(await to("Angel's List")).toBe("/angels-list");
    expect(await to("SkillShare")).toBe("/skills");
  });

  it("asks which town a typed location means", async () => {
    const place = { city: "Springfield", principalSubdivision: "", countryCode: "US", latitude: 1, longitude: 1 };
    const choices = ["Springfield, Missouri", "Springfield, Illinois"].map((label) => ({ ...place, label }));
    responses.set("GET /api/geocode/match", ({ route }) => ({
      body: route.endsWith("q=Springfield")
        ? { place: null, choices, message: "There is more than one Springfield." }
        : { place: choices[1], choices: [], message: "" },
    }));
    renderApp("/");
    await userEvent.click(await screen.findByRole("button", { name: "Change location" }));
    await userEvent.type(screen.getByLabelText("Your location: city, state"), "Springfield{Enter}");
    await userEvent.click(await screen.findByRole("button", { name: "Springfield, Illinois" }));
    expect(await screen.findByText("Springfield, Illinois")).toBeTruthy();
    expect(localStorage.getItem("porchlight.location")).toBe("Springfield, Illinois");
    expect(screen.queryByText(/more than one/)).toBeNull();
  });

  it("shows active gurus and their newest posts", async () => {
    responses.set("GET /api/home", { body: CONTENT });
    renderApp("/");
    const guru = await screen.findByRole("link", { name: "Chef Guru" });
    expect(guru.getAttribute("href")).toBe("https://cooking.porchlight.example/");
    expect(guru.closest("li")?.style.getPropertyValue("--guru-one")).toBe("#e4572e");
    expect(guru.closest("li")?.textContent).not.toContain("🍳");
    expect(guru.closest("li")?.querySelector("svg")).toBeTruthy();
    const post = screen.getByRole("link", { name: "A soup" });
    expect(post.getAttribute("href")).toBe("https://cooking.porchlight.example/blog/a-soup");
    expect(screen.getByText("Oct 3, 2026")).toBeTruthy();
  });

  it("ignores invalid colors, URLs and icons", async () => {
    responses.set("GET /api/home", { body: CONTENT });
    renderApp("/");
    const odd = await screen.findByRole("link", { name: "Odd Guru" });
    expect(odd.getAttribute("href")).toBe("#");
    expect(odd.closest("li")?.getAttribute("style")).toBeNull();
    expect(odd.closest("li")?.textContent).not.toContain("★");
    expect(odd.closest("li")?.querySelector("svg")).not.toBeNull();
  });

  it("shows an empty state without gurus", async () => {
    responses.set("GET /api/home", { body: { gurus: [], posts: [] } });
    renderApp("/");
    expect(await screen.findByText("No gurus yet")).toBeTruthy();
  });

  it("shows a load error and retries", async () => {
    responses.set("GET /api/home", { status: 503, body: { code: "unavailable", message: "x" } });
    renderApp("/");
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    responses.set("GET /api/home", { body: CONTENT });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Chef Guru" })).toBeTruthy();
  });
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { SESSION } from "@/testing/next-session";
import { ADA, renderApp } from "@/testing/render-app";
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
      photoUrl: "/api/photos/chef.webp",
      next: {
        service: "Bread Basics",
        priceCents: 7500,
        currency: "USD",
        zone: "America/Denver",
        startsAt: "2031-12-02T16:00:00Z",
      },
      theme: { primaryColor: "#e4572e", secondaryColor: "#f3a712", icon: "utensils", emoji: "🍳" },
    },
    {
      subdomain: "odd",
      character: "Odd Guru",
      category: "general",
      tagline: "",
      url: "javascript:alert(1)",
      photoUrl: null,
      next: null,
      theme: { primaryColor: "red;background:url(x)", secondaryColor: "#f3a712", icon: "rocket" as never, emoji: "★" },
    },
  ],
  posts: [
    {
      title: "A soup",
      excerpt: "With salt.",
      url: "https://cooking.porchlight.example/blog/a-soup",
      guru: { character: "Chef Guru", subdomain: "cooking" },
      coverUrl: "https://cooking.porchlight.example/images/a-640.webp",
      publishedAt: "2026-10-03T23:30:00Z",
      readTime: "3 min read",
    },
  ],
  needs: [
    { serviceId: "yard-work", service: "Yard Work", city: "Denver", needs: 2, wantedFrom: "2020-01-01" },
    { serviceId: "pet-sitting", service: "Pet Sitting", city: "Boulder", needs: 1, wantedFrom: "2031-12-02" },
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
    const card = within(guru.closest("li") as HTMLElement);
    expect(guru.closest("li")?.querySelector("img")?.getAttribute("src")).toBe("/api/photos/chef.webp");
    expect(card.getByText("$75")).toBeTruthy();
    expect(card.getByText("Tue, Dec 2, 9:00 AM")).toBeTruthy();
    const post = screen.getByRole("link", { name: "A soup" });
    expect(post.getAttribute("href")).toBe("https://cooking.porchlight.example/blog/a-soup");
    expect(screen.getByText("Oct 3, 2026")).toBeTruthy();
    expect(post.closest("li")?.querySelector("img")?.getAttribute("src")).toContain("/images/a-640.webp");
  });

  it("counts what neighbors need", async () => {
    responses.set("GET /api/home", { body: CONTENT });
    renderApp("/");
    const list = within(await screen.findByRole("list", { name: "What neighbors need" }));
    expect(list.getByText("2 neighbors in Denver · tonight")).toBeTruthy();
    expect(list.getByText("1 neighbor in Boulder · from Tue, Dec 2")).toBeTruthy();
    expect(list.getByRole("link", { name: "Yard Work" }).getAttribute("href")).toBe("/needs?service=yard-work");
  });

  it("shows signed-in users their next session", async () => {
    responses.set("GET /api/home", { body: CONTENT });
    responses.set("GET /api/guru", { body: { guru: null } });
    responses.set("GET /api/bookings", { body: { bookings: [SESSION], nextCursor: null } });
    responses.set("GET /api/exchanges", { body: { exchanges: [], nextCursor: null } });
    renderApp("/", ADA);
    const link = await screen.findByRole("link", { name: /^Your next session/ });
    expect(link.textContent).toContain(`${SESSION.serviceName} with ${SESSION.guruName}`);
    expect(link.getAttribute("href")).toBe(`/sessions/${SESSION.id}`);
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
    responses.set("GET /api/home", { body: { gurus: [], posts: [], needs: [] } });
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

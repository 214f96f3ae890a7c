import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import type { Angel } from "../api/get-service-angels";

const { responses, calls } = apiServer();

const SERVICE = {
  id: "pet-sitting",
  title: "Pet Sitting",
  description: "Walks and feeding.",
  avgPrice: 20,
  providers: 1,
  rating: 4.5,
  city: "Denver",
  category: "Pets",
  cities: [{ city: "Denver", providers: 1, avgPrice: 20, rating: 4.5 }],
};

beforeEach(() => {
  responses.set("GET /api/angels", { body: { services: [SERVICE], cities: ["Denver"], categories: ["Pets"] } });
});

describe("the angels of a service", () => {
  const ANGEL: Angel = {
    handle: "abel",
    name: "Abel",
    photoURL: "",
    about: "Cats love me.",
    rateCents: 1950,
    days: [1, 2, 3, 4, 5],
    radiusMiles: 10,
    city: "Denver",
    region: "Colorado",
    miles: 4,
    jobs: 3,
    rating: null,
    ratings: 0,
    answerMinutes: null,
    review: null,
    mine: false,
    premium: false,
  };

  it("show the usual answer time where it is known", async () => {
    const known = { ...ANGEL, handle: "bea", name: "Bea", answerMinutes: 95 };
    responses.set("GET /api/angels/pet-sitting", {
      body: { service: SERVICE, angels: [ANGEL, known], nextCursor: null },
    });
    renderApp("/angels-list/pet-sitting");
    const card = (await screen.findByRole("heading", { name: "Bea" })).closest("li") as HTMLElement;
    expect(within(card).getByText("Usually answers within 2 hours")).toBeTruthy();
    expect(screen.getAllByText(/Usually answers/)).toHaveLength(1);
  });

  it("show the newest review with words, job and date", async () => {
    const review = {
      id: "r1",
      service: "Pet Sitting",
      hours: 2,
      rating: 4,
      words: "Biscuit was happy.",
      date: "2026-11-20",
      author: "Olive",
    };
    responses.set("GET /api/angels/pet-sitting", {
      body: { service: SERVICE, angels: [{ ...ANGEL, rating: 4.5, ratings: 2, review }], nextCursor: null },
    });
    renderApp("/angels-list/pet-sitting");
    const card = within((await screen.findByRole("heading", { name: "Abel" })).closest("li") as HTMLElement);
    expect(card.getByText("Biscuit was happy.")).toBeTruthy();
    expect(card.getByText("4 out of 5")).toBeTruthy();
    expect(card.getByRole("figure").textContent).toContain("Olive · Pet Sitting, about 2 hours · Nov 20, 2026");
    expect(card.getByRole("link", { name: "All reviews of Abel" }).getAttribute("href")).toBe("/u/abel#reviews");
  });

  it("are listed page by page", async () => {
    responses.set("GET /api/angels/pet-sitting", ({ route }) => ({
      body: route.includes("cursor=next")
        ? { service: SERVICE, angels: [{ ...ANGEL, handle: "bea", name: "Bea", mine: true }], nextCursor: null }
        : { service: SERVICE, angels: [ANGEL], nextCursor: "next" },
    }));
    localStorage.setItem("porchlight.location", "Denver, Colorado");
    renderApp("/angels-list/pet-sitting?city=Denver");
    const card = within((await screen.findByRole("heading", { name: "Abel" })).closest("li") as HTMLElement);
    for (const text of ["$19.50/hr", "Weekdays", "New on Angel's List", "3 jobs done"])
      expect(card.getByText(text)).toBeTruthy();
    expect(card.getByText(/about 4 miles/)).toBeTruthy();
    expect(card.getByRole("link", { name: "Ask Abel" }).getAttribute("href")).toBe(
      "/needs/new?service=pet-sitting&angel=abel",
    );
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("This is you")).toBeTruthy();
    expect(calls.some(({ route }) => route.includes("near=Denver%2C+Colorado") && route.includes("city=Denver"))).toBe(
      true,
    );
  });

  it("says why there are no distances, and takes the place that was meant", async () => {
    const denver = { label: "Denver, Colorado", city: "Denver", principalSubdivision: "Colorado", countryCode: "US" };
    const choices = [{ ...denver, latitude: 39.7, longitude: -105 }];
    responses.set("GET /api/angels/pet-sitting", ({ route }) => ({
      body: {
        service: SERVICE,
        angels: [ANGEL],
        nextCursor: null,
        place: route.includes("near=Dever") ? { place: null, choices, message: "" } : null,
      },
    }));
    localStorage.setItem("porchlight.location", "Dever");
    renderApp("/angels-list/pet-sitting");
    expect(await screen.findByText(/We can't show distances from “Dever”\./)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Denver, Colorado" }));
    await waitFor(() => expect(screen.queryByText(/We can't show distances/)).toBeNull());
    expect(localStorage.getItem("porchlight.location")).toBe("Denver, Colorado");
  });

  it("may be none, or the service unknown", async () => {
    responses.set("GET /api/angels/pet-sitting", { body: { service: SERVICE, angels: [], nextCursor: null } });
    renderApp("/angels-list/pet-sitting");
    expect(await screen.findByText("No angels for this yet.")).toBeTruthy();
    responses.set("GET /api/angels/juggling", { status: 404, body: { code: "not_found", message: "No." } });
    renderApp("/angels-list/juggling");
    expect(await screen.findByText("We don't have that service yet.")).toBeTruthy();
  });
});

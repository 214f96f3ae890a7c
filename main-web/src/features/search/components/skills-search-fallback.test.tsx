import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import type { SearchData, SearchHit } from "../lib/types";

const { responses, calls } = apiServer();

const BREAD: SearchHit = {
  kind: "offer",
  id: "l1",
  title: "Sourdough bread",
  summary: "From starter to crust.",
  label: "",
  slug: "",
  who: "Maya",
  handle: "maya",
  photoURL: "",
  picture: "",
  pictureAlt: "",
  risk: null,
  priceCents: 2500,
  terms: [],
  formats: [],
  city: "Denver",
  miles: 3,
  fit: 1,
  premium: false,
  related: false,
  cell: null,
  nextStart: null,
};
const FOUND: SearchData = {
  hits: [BREAD],
  total: 1,
  mayHaveMore: false,
  cells: [],
  next: null,
  algorithm: "test",
  pending: false,
  place: null,
  category: null,
};
const NOTHING: SearchData = { ...FOUND, hits: [], total: 0 };
const searches = () => calls.filter(({ route }) => route.startsWith("GET /api/search"));
const NO = "No skills match your search";

beforeEach(() => {
  responses.set("GET /api/skills", { body: { skills: [], categories: [], total: 0 } });
});

afterEach(() => vi.useRealTimers());

describe("a search on /skills that matches no skill", () => {
  it("shows what the whole search finds", async () => {
    responses.set("GET /api/search", { body: FOUND });
    renderApp("/skills?q=sourdough");
    const results = within(await screen.findByRole("region", { name: "Results for “sourdough”" }));
    expect(results.getByText("No skill by that name yet. Here's what we found nearby:")).toBeTruthy();
    expect(results.getByRole("link", { name: "Sourdough bread" }).getAttribute("href")).toBe("/listings/l1");
    expect(results.getByRole("link", { name: "See all results and filters" }).getAttribute("href")).toBe(
      "/search?q=sourdough",
    );
    expect(screen.queryByText(NO)).toBeNull();
    await userEvent.setup().click(results.getByRole("button", { name: "Clear search" }));
    await waitFor(() => expect(screen.queryByRole("link", { name: "Sourdough bread" })).toBeNull());
  });

  it("shows them among the session templates, too", async () => {
    responses.set("GET /api/search", { body: FOUND });
    renderApp("/skills?tab=sessions&q=sourdough");
    expect(await screen.findByRole("link", { name: "Sourdough bread" })).toBeTruthy();
  });

  it("says no only after the search did", async () => {
    const held = heldResponse(NOTHING);
    responses.set("GET /api/search", held.responder);
    renderApp("/skills?q=zorb");
    expect(await screen.findByText("Searching…")).toBeTruthy();
    expect(screen.queryByText(NO)).toBeNull();
    held.release();
    expect(await screen.findByText(NO)).toBeTruthy();
  });

  it("waits for results by meaning", async () => {
    responses.set("GET /api/search", { body: { ...NOTHING, pending: true } });
    renderApp("/skills?q=bake+my+own");
    expect(await screen.findByText("Searching…")).toBeTruthy();
    await waitFor(() => expect(searches()).toHaveLength(1));
    responses.set("GET /api/search", { body: FOUND });
    expect(await screen.findByRole("link", { name: "Sourdough bread" })).toBeTruthy();
  });

  it("says no when results by meaning never come", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    responses.set("GET /api/search", { body: { ...NOTHING, pending: true } });
    renderApp("/skills?q=bake+my+own");
    expect(await screen.findByText("Searching…")).toBeTruthy();
    await vi.advanceTimersByTimeAsync(4600);
    expect(await screen.findByText(NO)).toBeTruthy();
    expect(searches()).toHaveLength(4);
  });

  it("says that the search failed and tries again", async () => {
    responses.set("GET /api/search", { status: 500 });
    renderApp("/skills?q=sourdough");
    expect(await screen.findByText("Search isn't responding")).toBeTruthy();
    expect(screen.queryByText(NO)).toBeNull();
    responses.set("GET /api/search", { body: FOUND });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Sourdough bread" })).toBeTruthy();
  });

  it("does not search for a single letter", async () => {
    renderApp("/skills?q=z");
    expect(await screen.findByText(NO)).toBeTruthy();
    expect(searches()).toEqual([]);
  });
});

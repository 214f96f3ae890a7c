import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { SavedSearch, SearchData, SearchHit } from "../lib/types";

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
  terms: ["swap"],
  formats: ["online"],
  city: "Denver",
  miles: 3,
  fit: 1,
  premium: false,
  related: false,
  cell: null,
  nextStart: null,
};
const POST: SearchHit = {
  ...BREAD,
  kind: "post",
  id: "p1",
  title: "A soup",
  label: "cooking",
  slug: "a-soup",
  who: "",
};
const FOUND: SearchData = {
  hits: [BREAD, POST],
  total: 2,
  mayHaveMore: false,
  cells: [],
  next: null,
  algorithm: "test",
  pending: false,
  place: null,
  category: null,
};
const GURU: SearchHit = {
  ...BREAD,
  kind: "guru",
  id: "g1",
  title: "Chef Guru",
  label: "cooking",
  who: "",
  handle: "",
  priceCents: 4500,
  terms: [],
  formats: [],
  cell: 0,
  nextStart: { serviceId: "s9", startsAt: "2026-12-01T16:00:00Z", zone: "America/Denver", place: "guru" },
};
const DENVER = {
  label: "Denver, Colorado",
  city: "Denver",
  principalSubdivision: "Colorado",
  countryCode: "US",
  latitude: 39.7,
  longitude: -105,
};
const NOTHING: SearchData = { ...FOUND, hits: [], total: 0 };
const UNFILTERED: SavedSearch["filters"] = {
  kind: null,
  near: "",
  withinMiles: null,
  maxPriceCents: null,
  format: null,
  language: "",
  day: null,
};
const SAVED: SavedSearch = {
  id: "s1",
  q: "bread",
  filters: UNFILTERED,
  createdAt: "2026-11-01T09:00:00Z",
  place: null,
};

const searches = () => calls.map(({ route }) => route).filter((route) => route.startsWith("GET /api/search?"));

describe("the search page", () => {
  it("sends no request without a text", async () => {
    renderApp("/search");
    expect(await screen.findByText("What would you like to find?")).toBeTruthy();
    expect(searches()).toEqual([]);
  });

  it("shows a loading state, then the hits with links", async () => {
    const { responder, release } = heldResponse(FOUND);
    responses.set("GET /api/search", responder);
    renderApp("/search?q=bread");
    expect(await screen.findByText("Searching…")).toBeTruthy();
    release();
    expect((await screen.findByRole("link", { name: "Sourdough bread" })).getAttribute("href")).toBe("/listings/l1");
    expect(screen.getByRole("link", { name: "A soup" }).getAttribute("href")).toMatch(
      /^http:\/\/cooking\..*\/blog\/a-soup$/,
    );
    for (const text of ["2 found", "by Maya"]) expect(screen.getByText(text)).toBeTruthy();
    const hit = within(screen.getByRole("heading", { name: "Sourdough bread" }).closest("li") as HTMLElement);
    for (const text of ["Neighbor", "$25/hr", "Swap", "Online", "Denver · about 3 mi"]) {
      expect(hit.getByText(text)).toBeTruthy();
    }
  });

  it("leads on where no one offers it", async () => {
    responses.set("GET /api/search", ({ route }) => ({
      body: route.includes("q=electrician")
        ? { ...NOTHING, category: { slug: "electrical", name: "Electrical" } }
        : { ...FOUND, hits: [GURU], total: 1 },
    }));
    renderApp("/search?q=electrician");
    expect(await screen.findByRole("heading", { name: "No one offers “electrician” yet" })).toBeTruthy();
    expect(screen.getByText("Nothing found")).toBeTruthy();
    const target = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(target("Post a need")).toBe("/needs/new?title=Electrician");
    expect(target("Add this skill")).toBe("/skills/mine?offer=Electrician");
    expect(target("See all help")).toBe("/angels-list");
    expect(target("Tell me when someone offers this")).toBe("/login");
    const nearest = within(screen.getByRole("region", { name: "Nearest: Electrical" }));
    expect(await nearest.findByRole("link", { name: "Chef Guru" })).toBeTruthy();
    expect(nearest.getByRole("link", { name: "See what people learn there" }).getAttribute("href")).toBe(
      "/skills?q=Electrical",
    );
  });

  it("offers to clear the filters that may hide results", async () => {
    responses.set("GET /api/search", ({ route }) => ({ body: route.includes("day=sat") ? NOTHING : FOUND }));
    const { router } = renderApp("/search?q=bread&day=sat&near=Denver");
    expect(await screen.findByRole("heading", { name: "No “bread” with these filters" })).toBeTruthy();
    await userEvent.setup().click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByRole("link", { name: "Sourdough bread" })).toBeTruthy();
    expect(router.state.location.search).toBe("?q=bread");
  });

  it("saves an empty search to tell when someone offers it", async () => {
    responses.set("GET /api/search", { body: NOTHING });
    responses.set("GET /api/search/saved", { body: { searches: [] } });
    responses.set("POST /api/search/saved", { status: 201, body: { searches: [{ ...SAVED, q: "yoga" }] } });
    renderApp("/search?q=yoga", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Tell me when someone offers this" }));
    expect(await screen.findByRole("button", { name: "You'll get email alerts" })).toBeTruthy();
  });

  it("shows when a guru is free next, and one step for each hit", async () => {
    const angel: SearchHit = { ...BREAD, kind: "angel", id: "moving", title: "Moving Help", who: "" };
    const busy: SearchHit = { ...GURU, id: "g2", label: "music", title: "Music Guru", nextStart: null };
    responses.set("GET /api/search", { body: { ...FOUND, hits: [BREAD, POST, GURU, busy, angel], total: 5 } });
    const { router } = renderApp("/search?q=bread");
    expect(await screen.findByText(/^Tue, Dec 1, .*9:00 AM MST$|^Tue, Dec 1, 9:00 AM MST$/)).toBeTruthy();
    const target = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(target("See times: Chef Guru")).toMatch(/^http:\/\/cooking\..*\/services\/s9\/times$/);
    expect(target("Send a message: Music Guru")).toMatch(/^http:\/\/music\..*\/contact$/);
    expect(target("Read: A soup")).toMatch(/\/blog\/a-soup$/);
    expect(target("See angels: Moving Help")).toBe("/angels-list/moving");
    await userEvent.setup().click(screen.getByRole("button", { name: "Request: Sourdough bread" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(router.state.location.state).toMatchObject({ message: "Please sign in to ask Maya about Sourdough bread." });
  });

  it("marks the dot of a row, and leads from a dot to its row", async () => {
    const cells = [
      { latitude: 39.7, longitude: -105, hits: 1, city: "Denver, Colorado" },
      { latitude: 40.1, longitude: -105.3, hits: 1, city: "Boulder, Colorado" },
    ];
    responses.set("GET /api/search", { body: { ...FOUND, hits: [GURU, { ...BREAD, cell: 1 }], cells } });
    renderApp("/search?q=bread");
    const map = await screen.findByRole("group", { name: "Results by city: 1 in Denver, 1 in Boulder" });
    const boulder = within(map).getByRole("button", { name: "1 result in Boulder" });
    const row = screen.getByRole("heading", { name: "Sourdough bread" }).closest("li") as HTMLElement;
    const isMarked = (element: HTMLElement) => element.className.includes("active");
    await userEvent.setup().hover(row);
    expect(isMarked(boulder)).toBe(true);
    expect(isMarked(within(map).getByRole("button", { name: "1 result in Denver" }))).toBe(false);
    await userEvent.setup().click(boulder);
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Sourdough bread" }));
    expect(isMarked(row)).toBe(true);
    expect(row.compareDocumentPosition(map) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it("says which place it understood", async () => {
    responses.set("GET /api/search", { body: { ...FOUND, place: { place: DENVER, choices: [], message: "" } } });
    renderApp("/search?q=bread&near=denver+co&withinMiles=25");
    expect(await screen.findByText("2 found within 25 miles of Denver, Colorado")).toBeTruthy();
    renderApp("/search?q=bread&near=denver+co");
    expect(await screen.findByText("2 found near Denver, Colorado")).toBeTruthy();
  });

  it("never drops a distance from a place that is not known", async () => {
    const unknown = { place: null, choices: [DENVER], message: "" };
    responses.set("GET /api/search", ({ route }) =>
      route.includes("near=Dever") ? { body: { ...NOTHING, place: unknown } } : { body: FOUND },
    );
    const { router } = renderApp("/search?q=bread&near=Dever&withinMiles=25");
    expect(await screen.findByText(/We can't search within 25 miles of “Dever”\..*Did you mean:/)).toBeTruthy();
    expect(screen.queryByText(/^No one offers/)).toBeNull();
    expect(screen.getByDisplayValue("Dever")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Denver, Colorado" }));
    expect(await screen.findByText("2 found")).toBeTruthy();
    expect(new URLSearchParams(router.state.location.search).get("near")).toBe("Denver, Colorado");
  });

  it("says which saved search waits for its place", async () => {
    responses.set("GET /api/search", { body: FOUND });
    const unknown = { place: null, choices: [DENVER], message: "" };
    const filters = { near: "Dever", withinMiles: 25, language: "" };
    responses.set("GET /api/search/saved", { body: { searches: [{ ...SAVED, filters, place: unknown }] } });
    responses.set("POST /api/search/saved", {
      status: 422,
      body: { message: "Please check the highlighted fields.", fields: { near: "Did you mean Denver, Colorado?" } },
    });
    renderApp("/search?q=rye&near=Dever", ADA);
    expect(await screen.findByRole("link", { name: "bread · no emails: where is “Dever”?" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Email me new results" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Did you mean Denver, Colorado?");
  });

  it("says that distances from an unknown place are missing", async () => {
    const unknown = { place: null, choices: [], message: "We couldn't find that place." };
    responses.set("GET /api/search", { body: { ...FOUND, place: unknown } });
    renderApp("/search?q=bread&near=Xyzzy");
    expect(await screen.findByText(/We can't show how far “Xyzzy” is\. We couldn't find that place\./)).toBeTruthy();
    expect(screen.getByText("2 found")).toBeTruthy();
  });

  it("shows weaker hits below the answers", async () => {
    responses.set("GET /api/search", { body: { ...FOUND, hits: [BREAD, { ...POST, related: true }], total: 1 } });
    renderApp("/search?q=bread");
    const section = await screen.findByRole("region", { name: "You might also like" });
    expect(within(section).getByRole("link", { name: "A soup" })).toBeTruthy();
    expect(within(section).queryByText("Sourdough bread")).toBeNull();
    expect(screen.getByText("1 found")).toBeTruthy();
  });

  it("says so when only weaker hits are found", async () => {
    responses.set("GET /api/search", { body: { ...FOUND, hits: [{ ...POST, related: true }], total: 0 } });
    renderApp("/search?q=bread");
    expect(await screen.findByText("Nothing fits exactly")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Post a need" })).toBeTruthy();
    expect(screen.getByRole("region", { name: "You might also like" })).toBeTruthy();
  });

  it("shows no empty state while the meaning is still being read", async () => {
    responses.set("GET /api/search", { body: { ...NOTHING, pending: true } });
    renderApp("/search?q=zorbing");
    expect(await screen.findByText("Searching…")).toBeTruthy();
    expect(screen.queryByText(/^No one offers/)).toBeNull();
    expect(screen.queryByText("Nothing found")).toBeNull();
  });

  it("shows a load error and retries", async () => {
    responses.set("GET /api/search", { status: 503 });
    renderApp("/search?q=bread");
    expect(await screen.findByText("Search isn't responding")).toBeTruthy();
    responses.set("GET /api/search", { body: FOUND });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Sourdough bread" })).toBeTruthy();
  });

  it("keeps text and filters in the URL and sends them", async () => {
    responses.set("GET /api/search", { body: FOUND });
    const { router } = renderApp("/search");
    const user = userEvent.setup();
    await user.type(await screen.findByRole("searchbox"), "bread");
    await screen.findByRole("link", { name: "Sourdough bread" });
    await user.selectOptions(screen.getByLabelText("Day"), "Saturday");
    await waitFor(() => expect(router.state.location.search).toBe("?q=bread&day=sat"));
    await user.type(screen.getByLabelText("Max price"), "9");
    await waitFor(() => {
      const sent = new URLSearchParams(searches().at(-1)?.split("?")[1]);
      expect(Object.fromEntries(sent)).toEqual({ q: "bread", day: "sat", maxPriceCents: "900" });
    });
  });

  it("opens the next page", async () => {
    responses.set("GET /api/search", ({ route }) => ({
      body: route.includes("cursor=c2") ? { ...FOUND, hits: [POST] } : { ...FOUND, hits: [BREAD], next: "c2" },
    }));
    renderApp("/search?q=bread");
    await userEvent.setup().click(await screen.findByRole("button", { name: "Next page" }));
    expect(await screen.findByRole("link", { name: "A soup" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Next page" })).toBeNull();
  });
});

describe("saved searches", () => {
  it("send signed-out users to login and back", async () => {
    responses.set("GET /api/search", { body: FOUND });
    const { router } = renderApp("/search?q=bread");
    await userEvent.setup().click(await screen.findByRole("link", { name: "Email me new results" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(router.state.location.state).toMatchObject({ from: "/search?q=bread" });
  });

  it("are created from the current search and deleted", async () => {
    responses.set("GET /api/search", { body: FOUND });
    responses.set("GET /api/search/saved", { body: { searches: [] } });
    responses.set("POST /api/search/saved", { status: 201, body: { searches: [SAVED] } });
    responses.set("DELETE /api/search/saved/s1", { body: { searches: [] } });
    renderApp("/search?q=bread", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Email me new results" }));
    expect(await screen.findByRole("button", { name: "You'll get email alerts" })).toBeTruthy();
    expect(calls.find(({ route }) => route === "POST /api/search/saved")?.body).toEqual({ q: "bread" });
    await user.click(screen.getByRole("button", { name: "Stop alerts for “bread”" }));
    expect(await screen.findByRole("button", { name: "Email me new results" })).toBeTruthy();
  });

  it("show why saving failed", async () => {
    responses.set("GET /api/search", { body: FOUND });
    responses.set("GET /api/search/saved", { body: { searches: [] } });
    const body = { code: "saved_search_limit", message: "You have 20 saved searches." };
    responses.set("POST /api/search/saved", { status: 409, body });
    renderApp("/search?q=bread", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Email me new results" }));
    expect(await screen.findByText(body.message)).toBeTruthy();
  });
});

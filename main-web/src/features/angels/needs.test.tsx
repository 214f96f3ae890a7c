import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../testing/api-server";
import { ADA, renderApp } from "../../testing/render-app";
import type { Angel } from "./get-service-angels";
import type { Need, NeedData, Offer } from "./get-needs";

const { answers, calls } = apiServer();

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

const NEED: Need = {
  id: "n1",
  serviceId: "pet-sitting",
  serviceTitle: "Pet Sitting",
  title: "Two cats",
  description: "Feeding twice a day.",
  wantedFrom: "2026-11-21",
  wantedUntil: "2026-11-27",
  timeNote: "mornings",
  hours: 2,
  budgetCents: 8000,
  lowCents: 3600,
  highCents: 4400,
  city: "Denver",
  region: "Colorado",
  miles: 3,
  status: "open",
  expiresAt: "2026-11-28T12:00:00Z",
  createdAt: "2026-11-21T12:00:00Z",
  mine: false,
  asksMe: false,
  asked: null,
  neighbour: { handle: "olive", name: "Olive", photoURL: "" },
  offers: 0,
  photos: [],
  rating: null,
  review: "",
};

const OFFER: Offer = {
  id: "o1",
  priceCents: 7000,
  message: "I can come.",
  createdAt: "2026-11-21T12:00:00Z",
  accepted: false,
  angel: { handle: "abel", name: "Abel", photoURL: "" },
  miles: 4,
  jobs: 2,
  rating: 4.5,
  ratings: 2,
};

const data = (need: Partial<Need> = {}, rest: Partial<NeedData> = {}): NeedData => ({
  need: { ...NEED, ...need },
  offers: [],
  ownOffer: null,
  ...rest,
});
const sent = (route: string) => calls.filter((call) => call.route === route).map((call) => call.body);

beforeEach(() => {
  answers.set("GET /api/angels", { body: { services: [SERVICE], cities: ["Denver"], categories: ["Pets"] } });
  answers.set("GET /api/angel-services", { body: { services: [], public: true } });
  answers.set("GET /api/own-needs", { body: { needs: [], nextCursor: null } });
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
    mine: false,
  };

  it("are shown with what they ask, and page by page", async () => {
    answers.set("GET /api/angels/pet-sitting", ({ route }) => ({
      body: route.includes("cursor=next")
        ? { service: SERVICE, angels: [{ ...ANGEL, handle: "bea", name: "Bea", mine: true }], nextCursor: null }
        : { service: SERVICE, angels: [ANGEL], nextCursor: "next" },
    }));
    localStorage.setItem("porchlight.location", "Denver, Colorado");
    renderApp("/angels-list/pet-sitting?city=Denver");
    const card = within((await screen.findByRole("heading", { name: "Abel" })).closest("li") as HTMLElement);
    for (const words of ["$19.50/hr", "Weekdays", "New on Angel's List", "3 jobs done"]) expect(card.getByText(words)).toBeTruthy();
    expect(card.getByText(/about 4 miles/)).toBeTruthy();
    expect(card.getByRole("link", { name: "Ask Abel" }).getAttribute("href")).toBe("/needs/new?service=pet-sitting&angel=abel");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("This is you")).toBeTruthy();
    expect(calls.some(({ route }) => route.includes("near=Denver%2C+Colorado") && route.includes("city=Denver"))).toBe(true);
  });

  it("may be none, or of no service at all", async () => {
    answers.set("GET /api/angels/pet-sitting", { body: { service: SERVICE, angels: [], nextCursor: null } });
    renderApp("/angels-list/pet-sitting");
    expect(await screen.findByText("No angels for this yet.")).toBeTruthy();
    answers.set("GET /api/angels/juggling", { status: 404, body: { code: "not_found", message: "No." } });
    renderApp("/angels-list/juggling");
    expect(await screen.findByText("Nobody helps with that yet.")).toBeTruthy();
  });
});

describe("posting a need", () => {
  const PROPOSAL = {
    serviceId: "pet-sitting",
    sure: true,
    lowRateCents: 1800,
    highRateCents: 2200,
    lowCents: 3600,
    highCents: 4400,
    angels: 5,
    nearby: true,
    jobs: 0,
  };

  it.each([
    [4, 12, "$18–$22 an hour, by what 4 angels ask and what was paid for 12 jobs near you."],
    [0, 3, "$18–$22 an hour, by what was paid for 3 jobs near you."],
  ])("says what a price rests on: %s angels, %s jobs", async (angels, jobs, words) => {
    answers.set("POST /api/need-proposals", { body: { ...PROPOSAL, angels, jobs } });
    renderApp("/needs/new", ADA);
    await userEvent.setup().type(await screen.findByLabelText("What is to be done"), "Feed two cats");
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it("proposes the kind of help and a price, and keeps everything when it fails", async () => {
    answers.set("POST /api/need-proposals", { body: PROPOSAL });
    answers.set("POST /api/needs", { status: 422, body: { code: "x", message: "Please check.", fields: { place: "Where is that?" } } });
    const { router } = renderApp("/needs/new", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("What is to be done"), "Two cats");
    await user.type(screen.getByLabelText("The details"), "Feeding twice a day.");
    await user.type(screen.getByLabelText("Where"), "Atlantis");
    expect(await screen.findByText("This sounds like Pet Sitting.")).toBeTruthy();
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>("Kind of help").value).toBe("pet-sitting"));
    expect(screen.getByText("$36–$44")).toBeTruthy();
    expect(screen.getByText("$18–$22 an hour, by what 5 angels ask near you.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use $44 as my budget" }));
    await user.click(screen.getByRole("button", { name: "Post this need" }));
    expect(await screen.findByText("Where is that?")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("What is to be done").value).toBe("Two cats");
    answers.set("POST /api/needs", { status: 201, body: data({ mine: true }) });
    answers.set("GET /api/needs/n1", { body: data({ mine: true }) });
    await user.click(screen.getByRole("button", { name: "Post this need" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/needs/n1"));
    expect(sent("POST /api/needs").at(-1)).toMatchObject({
      title: "Two cats",
      serviceId: "pet-sitting",
      budgetCents: 4400,
      hours: 2,
      place: { text: "Atlantis" },
      angel: null,
    });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says what is missing before anything is sent", async () => {
    renderApp("/needs/new", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Post this need" }));
    for (const words of [
      "Say in a few words what it is",
      "Describe what is to be done",
      "Choose what kind of help it is",
      "Say roughly where it is",
    ]) {
      expect(await screen.findByText(words)).toBeTruthy();
    }
    expect(sent("POST /api/needs")).toEqual([]);
  });
});

describe("a need", () => {
  it("takes an offer from somebody else, and tells what became of it", async () => {
    answers.set("GET /api/needs/n1", { body: data() });
    renderApp("/needs/n1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Send offer" }));
    expect(await screen.findByText("Say for how much, in dollars; 0 for nothing")).toBeTruthy();
    await user.type(screen.getByLabelText("Price for the whole job, in dollars"), "45.50");
    await user.type(screen.getByLabelText("Your message"), "I can come.");
    answers.set("POST /api/needs/n1/offers", { status: 409, body: { code: "need_closed", message: "This need is no longer open." } });
    await user.click(screen.getByRole("button", { name: "Send offer" }));
    expect(await screen.findByText("This need is no longer open.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your message").value).toBe("I can come.");
    const ownOffer = { id: "o9", priceCents: 4550, message: "I can come.", createdAt: "", outcome: "open" as const, need: null };
    answers.set("POST /api/needs/n1/offers", { status: 201, body: data({}, { ownOffer }) });
    answers.set("GET /api/needs/n1", { body: data({}, { ownOffer }) });
    await user.click(screen.getByRole("button", { name: "Send offer" }));
    expect(await screen.findByText("Your offer is with the neighbor. We mail you when they decide.")).toBeTruthy();
    expect(sent("POST /api/needs/n1/offers").at(-1)).toEqual({ priceCents: 4550, message: "I can come." });
  });

  it("lets its owner accept one offer, after asking", async () => {
    answers.set("GET /api/needs/n1", { body: data({ mine: true, offers: 1 }, { offers: [OFFER] }) });
    renderApp("/needs/n1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Accept the offer of Abel" }));
    const after = data({ mine: true, status: "accepted" }, { offers: [{ ...OFFER, accepted: true }] });
    answers.set("POST /api/needs/n1/acceptance", { body: after });
    answers.set("GET /api/needs/n1", { body: after });
    await user.click(screen.getByRole("button", { name: "Accept offer" }));
    expect(await screen.findByText(/^You accepted the offer of Abel for \$70\./)).toBeTruthy();
    expect(sent("POST /api/needs/n1/acceptance")).toEqual([{ offerId: "o1" }]);
    expect(screen.queryByRole("button", { name: "Withdraw this need" })).toBeNull();
    expect(await screen.findByRole("heading", { name: "Is it done?" })).toBeTruthy();
  });

  const PHOTOS = ["/api/need-photos/p1.webp", "/api/need-photos/p2.webp"];

  it("lets its owner take photos off, and says so aloud or why not", async () => {
    const user = userEvent.setup();
    answers.set("GET /api/needs/n1", { body: data({ mine: true, photos: PHOTOS }) });
    answers.set("DELETE /api/needs/n1/photos/p1", { status: 409, body: { code: "need_closed", message: "No longer open." } });
    renderApp("/needs/n1", ADA);
    await user.click(await screen.findByRole("button", { name: "Remove photo 1" }));
    expect(await screen.findByText("No longer open.")).toBeTruthy();
    expect(screen.getByRole("img", { name: "Of what is to be done, 1 of 2" })).toBeTruthy();
    const after = { body: data({ mine: true, photos: PHOTOS.slice(1) }) };
    answers.set("DELETE /api/needs/n1/photos/p1", after);
    answers.set("GET /api/needs/n1", after);
    await user.click(screen.getByRole("button", { name: "Remove photo 1" }));
    expect(await screen.findByText("Photo 1 was removed.")).toBeTruthy();
    expect(screen.queryByText("No longer open.")).toBeNull();
    const left = screen.getByRole("img", { name: "Of what is to be done, 1 of 1" });
    expect(left.getAttribute("src")).toBe(PHOTOS[1]);
  });

  it.each([
    ["somebody else's", { mine: false }],
    ["one that an angel was chosen for", { mine: true, status: "accepted" as const }],
  ])("keeps the photos of %s", async (_whose, need) => {
    answers.set("GET /api/needs/n1", { body: data({ ...need, photos: PHOTOS }) });
    renderApp("/needs/n1", ADA);
    expect(await screen.findByRole("img", { name: "Of what is to be done, 2 of 2" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Remove photo/ })).toBeNull();
  });

  it("that is not there for the reader is told kindly", async () => {
    answers.set("GET /api/needs/n1", { status: 404, body: { code: "not_found", message: "No." } });
    renderApp("/needs/n1", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "No such need" })).toBeTruthy();
  });
});

describe("the dashboard", () => {
  it("shows needs that wait for a choice", async () => {
    const needs = [{ ...NEED, mine: true, offers: 2 }, { ...NEED, id: "n2", mine: true, title: "Quiet" }];
    answers.set("GET /api/own-needs", { body: { needs, nextCursor: null } });
    renderApp("/dashboard", ADA);
    expect(await screen.findByText("2 offers wait for your choice.")).toBeTruthy();
    expect(screen.queryByText("Quiet")).toBeNull();
  });
});

describe("being an angel", () => {
  it("is said with a price, days and a place", async () => {
    renderApp("/be-an-angel?service=pet-sitting", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Become an angel" }));
    expect(await screen.findByText("Say what you ask an hour, from $1 to $500")).toBeTruthy();
    await user.type(screen.getByLabelText("Price an hour, in dollars"), "22");
    await user.type(screen.getByLabelText("Where you start from"), "Boulder, Colorado");
    await user.click(screen.getByRole("checkbox", { name: "Wed" }));
    const own = {
      serviceId: "pet-sitting",
      title: "Pet Sitting",
      rateCents: 2200,
      about: "",
      days: [3, 6, 7],
      radiusMiles: 10,
      mailsADay: 5,
      city: "Boulder",
      region: "Colorado",
      active: true,
      jobs: 0,
      rating: null,
      ratings: 0,
    };
    answers.set("PUT /api/angel-services/pet-sitting", { body: { services: [own], public: false } });
    await user.click(screen.getByRole("button", { name: "Become an angel" }));
    expect(await screen.findByText("You are an angel for Pet Sitting now.")).toBeTruthy();
    const [body] = sent("PUT /api/angel-services/pet-sitting");
    expect(body).toMatchObject({ rateCents: 2200, radiusMiles: 10, mailsADay: 5, active: true, place: { text: "Boulder, Colorado" } });
    expect([...(body as { days: number[] }).days].sort()).toEqual([3, 6, 7]);
    expect(screen.getByText(/Your profile is hidden/)).toBeTruthy();
  });
});

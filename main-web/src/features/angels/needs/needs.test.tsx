import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Need, NeedData, NeedOffer } from "./lib/types";

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

const OFFER: NeedOffer = {
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
const sentBodies = (route: string) => calls.filter((call) => call.route === route).map((call) => call.body);

beforeEach(() => {
  responses.set("GET /api/angels", { body: { services: [SERVICE], cities: ["Denver"], categories: ["Pets"] } });
  responses.set("GET /api/angel-services", { body: { services: [], public: true } });
  responses.set("GET /api/own-needs", { body: { needs: [], nextCursor: null } });
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
    [4, 12, "$18–$22/hr, based on 4 angels' rates and 12 completed jobs near you."],
    [0, 3, "$18–$22/hr, based on 3 completed jobs near you."],
  ])("explains a price by %s angels and %s jobs", async (angels, jobs, text) => {
    responses.set("POST /api/need-proposals", { body: { ...PROPOSAL, angels, jobs } });
    renderApp("/needs/new", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("What do you need?"), "Feed two cats");
    await user.type(screen.getByLabelText("Where"), "Denver, Colorado");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("suggests service and price, and keeps the input on errors", async () => {
    responses.set("POST /api/need-proposals", { body: PROPOSAL });
    responses.set("POST /api/needs", {
      status: 422,
      body: { code: "x", message: "Please check.", fields: { place: "Where is that?" } },
    });
    const { router } = renderApp("/needs/new", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("What do you need?"), "Two cats");
    await user.type(screen.getByLabelText("Where"), "Atlantis");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await user.type(await screen.findByLabelText("Details"), "Feeding twice a day.");
    expect(await screen.findByText("This sounds like Pet Sitting.")).toBeTruthy();
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>("Kind of help").value).toBe("pet-sitting"));
    expect(screen.getByText("$36–$44")).toBeTruthy();
    expect(screen.getByText("$18–$22/hr, based on 5 angels' rates near you.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use $40 as my budget" }));
    await user.click(screen.getByRole("button", { name: "Post this need" }));
    expect(await screen.findByText("Where is that?")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("What do you need?").value).toBe("Two cats");
    responses.set("POST /api/needs", { status: 201, body: data({ mine: true }) });
    responses.set("GET /api/needs/n1", { body: data({ mine: true }) });
    await user.click(screen.getByRole("button", { name: "Post this need" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/needs/n1"));
    expect(sentBodies("POST /api/needs").at(-1)).toMatchObject({
      title: "Two cats",
      serviceId: "pet-sitting",
      budgetCents: 4000,
      hours: 2,
      place: { text: "Atlantis" },
      angel: null,
    });
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("asks what, where and when first, and says what is missing", async () => {
    renderApp("/needs/new", ADA);
    const user = userEvent.setup();
    const next = await screen.findByRole("button", { name: "Continue" });
    await user.click(next);
    for (const text of ["Enter a short title", "Enter a city"]) expect(await screen.findByText(text)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("What do you need?"));
    expect(screen.queryByLabelText("Details")).toBeNull();
    await user.type(screen.getByLabelText("What do you need?"), "Two cats");
    await user.type(screen.getByLabelText("Where"), "Denver, Colorado");
    await user.click(next);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Details")));
    await user.click(screen.getByRole("button", { name: "Post this need" }));
    for (const text of ["Describe what you need", "Choose the kind of help you need"]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    expect(sentBodies("POST /api/needs")).toEqual([]);
  });

  it("fills in the place of the profile", async () => {
    responses.set("GET /api/auth/profile", { body: { location: "Boulder, Colorado" } });
    renderApp("/needs/new", ADA);
    expect((await screen.findByLabelText<HTMLInputElement>("Where")).value).toBe("Boulder, Colorado");
  });
});

describe("a need", () => {
  it("takes an offer and shows its status", async () => {
    responses.set("GET /api/needs/n1", { body: data() });
    renderApp("/needs/n1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Send offer" }));
    expect(await screen.findByText("Enter a price (0 if it's free)")).toBeTruthy();
    await user.type(screen.getByLabelText("Price for the whole job ($)"), "45.50");
    await user.type(screen.getByLabelText("Your message"), "I can come.");
    responses.set("POST /api/needs/n1/offers", {
      status: 409,
      body: { code: "need_closed", message: "This need is no longer open." },
    });
    await user.click(screen.getByRole("button", { name: "Send offer" }));
    expect(await screen.findByText("This need is no longer open.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your message").value).toBe("I can come.");
    const ownOffer = {
      id: "o9",
      priceCents: 4550,
      message: "I can come.",
      createdAt: "",
      outcome: "open" as const,
      need: null,
    };
    responses.set("POST /api/needs/n1/offers", { status: 201, body: data({}, { ownOffer }) });
    responses.set("GET /api/needs/n1", { body: data({}, { ownOffer }) });
    await user.click(screen.getByRole("button", { name: "Send offer" }));
    expect(await screen.findByText("Your offer has been sent. We'll email you when they decide.")).toBeTruthy();
    expect(sentBodies("POST /api/needs/n1/offers").at(-1)).toEqual({ priceCents: 4550, message: "I can come." });
  });

  it("lets its owner accept one offer after confirming", async () => {
    responses.set("GET /api/needs/n1", { body: data({ mine: true, offers: 1 }, { offers: [OFFER] }) });
    renderApp("/needs/n1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Accept Abel's offer" }));
    const after = data({ mine: true, status: "accepted" }, { offers: [{ ...OFFER, accepted: true }] });
    responses.set("POST /api/needs/n1/acceptance", { body: after });
    responses.set("GET /api/needs/n1", { body: after });
    await user.click(screen.getByRole("button", { name: "Accept offer" }));
    expect(await screen.findByText(/^You accepted Abel's offer for \$70\./)).toBeTruthy();
    expect(sentBodies("POST /api/needs/n1/acceptance")).toEqual([{ offerId: "o1" }]);
    expect(screen.queryByRole("button", { name: "Withdraw this need" })).toBeNull();
    expect(await screen.findByRole("heading", { name: "Is the job done?" })).toBeTruthy();
  });

  const PHOTOS = ["/api/need-photos/p1.webp", "/api/need-photos/p2.webp"];

  it("lets its owner remove photos", async () => {
    const user = userEvent.setup();
    responses.set("GET /api/needs/n1", { body: data({ mine: true, photos: PHOTOS }) });
    responses.set("DELETE /api/needs/n1/photos/p1", {
      status: 409,
      body: { code: "need_closed", message: "No longer open." },
    });
    renderApp("/needs/n1", ADA);
    await user.click(await screen.findByRole("button", { name: "Remove photo 1" }));
    expect(await screen.findByText("No longer open.")).toBeTruthy();
    expect(screen.getByRole("img", { name: "View of the job, 1 of 2" })).toBeTruthy();
    const after = { body: data({ mine: true, photos: PHOTOS.slice(1) }) };
    responses.set("DELETE /api/needs/n1/photos/p1", after);
    responses.set("GET /api/needs/n1", after);
    await user.click(screen.getByRole("button", { name: "Remove photo 1" }));
    expect(await screen.findByText("Photo 1 removed.")).toBeTruthy();
    expect(screen.queryByText("No longer open.")).toBeNull();
    const remaining = screen.getByRole("img", { name: "View of the job, 1 of 1" });
    expect(remaining.getAttribute("src")).toBe(PHOTOS[1]);
  });

  it.each([
    ["another user's", { mine: false }],
    ["one that an angel was chosen for", { mine: true, status: "accepted" as const }],
  ])("keeps the photos of %s", async (_whose, need) => {
    responses.set("GET /api/needs/n1", { body: data({ ...need, photos: PHOTOS }) });
    renderApp("/needs/n1", ADA);
    expect(await screen.findByRole("img", { name: "View of the job, 2 of 2" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Remove photo/ })).toBeNull();
  });

  it("shows a message if it is not found", async () => {
    responses.set("GET /api/needs/n1", { status: 404, body: { code: "not_found", message: "No." } });
    renderApp("/needs/n1", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Need not found" })).toBeTruthy();
  });
});

describe("the dashboard", () => {
  it("shows needs with offers to choose from", async () => {
    const needs = [
      { ...NEED, mine: true, offers: 2 },
      { ...NEED, id: "n2", mine: true, title: "Quiet" },
    ];
    responses.set("GET /api/own-needs", { body: { needs, nextCursor: null } });
    renderApp("/dashboard", ADA);
    expect(await screen.findByText("You have 2 offers to choose from.")).toBeTruthy();
    expect(screen.queryByText("Quiet")).toBeNull();
  });
});

describe("becoming an angel", () => {
  it("saves price, days and place", async () => {
    renderApp("/be-an-angel?service=pet-sitting", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Become an angel" }));
    expect(await screen.findByText("Enter your hourly rate ($1–$500)")).toBeTruthy();
    await user.type(screen.getByLabelText("Hourly rate ($)"), "22");
    await user.type(screen.getByLabelText("Your location"), "Boulder, Colorado");
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
    responses.set("PUT /api/angel-services/pet-sitting", { body: { services: [own], public: false } });
    await user.click(screen.getByRole("button", { name: "Become an angel" }));
    expect(await screen.findByText("You're now an angel for Pet Sitting.")).toBeTruthy();
    const [body] = sentBodies("PUT /api/angel-services/pet-sitting");
    expect(body).toMatchObject({
      rateCents: 2200,
      radiusMiles: 10,
      mailsADay: 5,
      active: true,
      place: { text: "Boulder, Colorado" },
    });
    expect([...(body as { days: number[] }).days].sort()).toEqual([3, 6, 7]);
    expect(screen.getByText(/Your profile is private/)).toBeTruthy();
  });
});

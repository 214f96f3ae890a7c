import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const GURU = {
  label: "music",
  name: "Music Guru",
  tagline: "Guitar and songs",
  city: "Denver, Colorado",
  emoji: "",
  skills: ["Acoustic guitar"],
  handle: null,
  service: {
    id: "s1",
    name: "Lesson",
    minutes: 60,
    priceCents: 7500,
    currency: "USD",
    capacity: 1,
    place: "guru",
    zone: "America/Denver",
  },
  starts: ["2099-12-01T16:00:00Z", "2099-12-02T16:00:00Z"],
};
const NEIGHBOR = {
  handle: "bea",
  name: "Bea",
  photoUrl: "",
  city: "Denver",
  miles: 2,
  listingId: "l1",
  title: "Guitar",
};
const SERVICES = [{ id: "pet-sitting", category: "Pets", title: "Pet Sitting" }];
const PROFILE = { firstName: "", displayName: "Ada", photoURL: "", bio: "", skills: { offered: [], wanted: [] } };
const open = (state: object) => renderApp({ pathname: "/dashboard", state }, ADA);
const CREATIVE = { action: "book-skill-session", category: "Creative", message: "Book a Creative session" };

/** Find the error with this text among those of the dashboard's other cards. */
async function errorWith(text: string) {
  const error = (await screen.findByText(text)).closest('[role="alert"]');
  return within(error as HTMLElement);
}

describe("the request on the dashboard", () => {
  it("shows gurus with times, and neighbors", async () => {
    responses.set("GET /api/teachers?category=Creative", { body: { gurus: [GURU], neighbors: [NEIGHBOR] } });
    open(CREATIVE);
    expect(await screen.findByText("Book a Creative session")).toBeTruthy();
    expect(await screen.findByText("Lesson · 1 h · $75 · Denver, Colorado")).toBeTruthy();
    expect(screen.getByText("Teaches Acoustic guitar")).toBeTruthy();
    expect(screen.getByRole("link", { name: "All times for Lesson with Music Guru" }).getAttribute("href")).toMatch(
      /\/\/music\..*\/services\/s1\/times$/,
    );
    expect(screen.getByRole("link", { name: "Guitar with Bea" }).getAttribute("href")).toBe("/listings/l1");
    expect(screen.getByRole("link", { name: "Back to SkillShare" }).getAttribute("href")).toBe("/skills?q=Creative");
    expect(screen.getByRole("link", { name: "Message Bea" }).getAttribute("href")).toBe(
      "/messages/new?to=listing%3Al1",
    );
  });

  it("keeps a time and opens the booking page", async () => {
    responses.set("GET /api/teachers?category=Creative", { body: { gurus: [GURU], neighbors: [] } });
    responses.set("POST /api/gurus/music/holds", {
      status: 201,
      body: { token: "t1", expiresAt: "", overlaps: false },
    });
    const { router } = open(CREATIVE);
    const visited: string[] = [];
    router.subscribe(({ location }) => visited.push(location.pathname));
    await userEvent.click(await screen.findByRole("button", { name: /^Tue, Dec 1, 2099, 9:00 AM MST$/ }));
    await waitFor(() => expect(visited).toContain("/book/t1"));
    const hold = calls.find(({ route }) => route.startsWith("POST"));
    expect(hold?.body).toEqual({ serviceId: "s1", startsAt: GURU.starts[0], party: 1 });
    expect(hold?.headers["idempotency-key"]).toBeTruthy();
  });

  it("says that a time was taken and loads the times again", async () => {
    responses.set("GET /api/teachers?category=Creative", { body: { gurus: [GURU], neighbors: [] } });
    responses.set("POST /api/gurus/music/holds", () => {
      const left = { ...GURU, starts: GURU.starts.slice(1) };
      responses.set("GET /api/teachers?category=Creative", { body: { gurus: [left], neighbors: [] } });
      return { status: 409, body: { code: "slot_taken", message: "That time was just taken. Please choose another." } };
    });
    open(CREATIVE);
    await userEvent.click(await screen.findByRole("button", { name: /Dec 1/ }));
    expect(await screen.findByText("That time was just taken. Please choose another.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("button", { name: /Dec 1/ })).toBeNull());
  });

  it("says that no one teaches a category", async () => {
    responses.set("GET /api/teachers", { body: { gurus: [], neighbors: [] } });
    open({ action: "find-teachers", category: "Electrical", message: "Find Electrical teachers" });
    expect(await screen.findByText("No one teaches this yet.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Post a need" }).getAttribute("href")).toBe("/needs/new");
  });

  it("can load the times again after an error", async () => {
    responses.set("GET /api/teachers", { status: 500 });
    open(CREATIVE);
    const error = await errorWith("We couldn't load the times.");
    responses.set("GET /api/teachers", { body: { gurus: [GURU], neighbors: [] } });
    await userEvent.click(error.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Music Guru" })).toBeTruthy();
  });

  it("shows the service that a guru's site sent", async () => {
    responses.set("GET /api/teachers?guru=music&service=s1", { body: { gurus: [GURU], neighbors: [] } });
    renderApp("/dashboard?action=book-service&guru=music&service=s1&category=audio&message=Book%20Lesson", ADA);
    expect(await screen.findByText("Book Lesson")).toBeTruthy();
    expect(await screen.findByRole("link", { name: "Music Guru" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: /^Back to/ })).toBeNull();
  });

  it("offers a message about a service that cannot be booked", async () => {
    const guru = { ...GURU, service: null, starts: [] };
    responses.set("GET /api/teachers", { body: { gurus: [guru], neighbors: [] } });
    renderApp("/dashboard?action=book-service&guru=music&service=s2&message=Book%20Mentorship", ADA);
    const link = await screen.findByRole("link", { name: "Message Music Guru" });
    expect(link.getAttribute("href")).toMatch(/\/\/music\..*\/contact\?service=s2$/);
    expect(screen.queryByText("No free times right now.")).toBeNull();
  });

  it("offers a message when no time is free", async () => {
    responses.set("GET /api/teachers", { body: { gurus: [{ ...GURU, starts: [] }], neighbors: [] } });
    open(CREATIVE);
    expect(await screen.findByText("No free times right now.")).toBeTruthy();
    const link = screen.getByRole("link", { name: "Message Music Guru" });
    expect(link.getAttribute("href")).toMatch(/\/contact\?service=s1$/);
  });

  it("says that a guru is not available", async () => {
    responses.set("GET /api/teachers", { body: { gurus: [], neighbors: [] } });
    renderApp("/dashboard?action=book-service&guru=music&service=s2", ADA);
    expect(await screen.findByText("This guru isn't available right now.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Find another teacher" }).getAttribute("href")).toBe("/skills");
  });

  describe("about a listing", () => {
    const ASK = { action: "book-skill-session", category: "Guitar", listing: "l1", message: "Ask Bea about Guitar" };
    const LISTING = {
      id: "l1",
      title: "Guitar",
      terms: ["free"],
      hourlyRateCents: null,
      teacher: { name: "Bea", handle: "bea", photoURL: "", city: "Denver" },
    };

    it("asks its teacher, and shows others who teach it", async () => {
      responses.set("GET /api/skills/listings/l1", { body: LISTING });
      responses.set("GET /api/teachers?category=Guitar", { body: { gurus: [GURU], neighbors: [NEIGHBOR] } });
      open(ASK);
      expect(await screen.findByRole("link", { name: "Message Bea" })).toBeTruthy();
      expect(await screen.findByRole("heading", { name: "Others who teach this" })).toBeTruthy();
      expect(await screen.findByRole("link", { name: "Music Guru" })).toBeTruthy();
      expect(screen.getAllByRole("link", { name: "Guitar with Bea" })).toHaveLength(1);
    });

    it("shows only its teacher when no one else teaches it", async () => {
      responses.set("GET /api/skills/listings/l1", { body: LISTING });
      responses.set("GET /api/teachers?category=Guitar", { body: { gurus: [], neighbors: [NEIGHBOR] } });
      open(ASK);
      expect(await screen.findByRole("link", { name: "Message Bea" })).toBeTruthy();
      await waitFor(() => expect(screen.queryByText("Looking for times…")).toBeNull());
      expect(screen.queryByText("No one teaches this yet.")).toBeNull();
    });

    it("says that it was removed, or failed to load", async () => {
      responses.set("GET /api/skills/listings/l1", { status: 500 });
      responses.set("GET /api/teachers", { body: { gurus: [], neighbors: [] } });
      open(ASK);
      const error = await errorWith("We couldn't load this listing");
      responses.set("GET /api/skills/listings/l1", { status: 404 });
      await userEvent.click(error.getByRole("button", { name: "Try again" }));
      expect(await screen.findByText("This listing was removed.")).toBeTruthy();
    });
  });

  it("has the form of an angel's request with service and place", async () => {
    responses.set("GET /api/auth/profile", { body: { ...PROFILE, location: "Boulder, Colorado" } });
    responses.set("GET /api/angels", { body: { services: SERVICES, cities: [], categories: [] } });
    responses.set("GET /api/angels/pet-sitting", { body: { angels: [] } });
    open({ action: "book-service", category: "Pets", service: "pet-sitting", message: "Book Pet Sitting" });
    expect(await screen.findByLabelText<HTMLInputElement>("Where")).toHaveProperty("value", "Boulder, Colorado");
    expect(await screen.findByText("No angels for this yet.")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("What do you need?"), "A walk for Biscuit");
    await userEvent.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByLabelText<HTMLSelectElement>("Kind of help")).toHaveProperty("value", "pet-sitting");
    expect(screen.getByRole("button", { name: "Post this need" })).toBeTruthy();
  });

  it("shows angels, and the times of one with a site", async () => {
    const angel = { handle: "theo", name: "Theo", photoURL: "", rateCents: 3000, city: "Denver", mine: false };
    responses.set("GET /api/angels", { body: { services: SERVICES, cities: [], categories: [] } });
    responses.set("GET /api/angels/pet-sitting", {
      body: { angels: [angel, { ...angel, handle: "mia", name: "Mia" }] },
    });
    responses.set("GET /api/teachers?angel=theo&angel=mia", {
      body: { gurus: [{ ...GURU, handle: "theo" }], neighbors: [] },
    });
    open({ action: "book-service", category: "Pets", message: "Book Pet Sitting" });
    const ask = await screen.findByRole("link", { name: "Ask Mia" });
    expect(ask.getAttribute("href")).toBe("/needs/new?service=pet-sitting&angel=mia");
    const theo = screen.getByRole("link", { name: "Ask Theo" }).closest("li") as HTMLElement;
    expect(await within(theo).findByRole("button", { name: /Dec 1/ })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to Angel's List" }).getAttribute("href")).toBe(
      "/angels-list?category=Pets",
    );
  });
});

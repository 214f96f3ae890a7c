import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, testLoading } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import { later } from "@/features/bookings/pages/session-fixtures";

const server = apiServer();
const { responses, calls } = server;
const DUE = {
  bookingId: "b1",
  name: "Nora Feldman",
  serviceName: "Knife skills",
  startsAt: later(-30),
  zone: "America/Denver",
  missed: true,
  openUntil: later(24 * 12),
};
const REVIEW = {
  id: "r1",
  bookingId: "b2",
  author: "Maya Lindqvist",
  serviceName: "Sourdough",
  startsAt: later(-200),
  zone: "America/Denver",
  stars: 2,
  body: "A bit fast.",
  privateNote: "The stool wobbles.",
  revealedAt: later(-20),
  reply: "",
  removedWhy: "",
  own: null,
};
const PAGE = { rating: { average: 2, reviews: 1 }, counts: [0, 1, 0, 0, 0], reviews: [REVIEW], nextCursor: null };

beforeEach(() => {
  sessionStorage.clear();
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/reviews", { body: PAGE });
  responses.set("GET /api/guru/reviews/due", { body: { sessions: [] } });
});

testLoading(server, {
  at: "/guru/reviews",
  route: "GET /api/guru/reviews",
  body: PAGE,
  errorTitle: "We couldn't load your reviews",
  text: "A bit fast.",
});

describe("the guru's reviews", () => {
  it("are replied to and reported, and never removed", async () => {
    renderApp("/guru/reviews", ADA);
    await screen.findByText("A bit fast.");
    const row = within(screen.getByRole("region", { name: "About your sessions" }));
    expect(row.getByText("The stool wobbles.")).toBeTruthy();
    expect(row.getByRole("button", { name: "Report this" })).toBeTruthy();
    expect(row.queryByRole("button", { name: /remove|delete|hide/i })).toBeNull();
    const user = userEvent.setup();
    await user.click(row.getByRole("button", { name: "Reply" }));
    await user.type(row.getByLabelText(/^Your reply/), "I will slow down.");
    responses.set("PUT /api/guru/reviews/r1/reply", { status: 503, body: {} });
    await user.click(row.getByRole("button", { name: "Save reply" }));
    expect(await row.findByRole("alert")).toBeTruthy();
    responses.set("PUT /api/guru/reviews/r1/reply", { body: {} });
    responses.set("GET /api/guru/reviews", {
      body: { ...PAGE, reviews: [{ ...REVIEW, reply: "I will slow down." }] },
    });
    await user.click(row.getByRole("button", { name: "Save reply" }));
    expect(await screen.findByText("Your reply is saved.")).toBeTruthy();
    const sent = calls.filter(({ route }) => route.startsWith("PUT")).map(({ body }) => body);
    expect(sent).toEqual([{ body: "I will slow down." }, { body: "I will slow down." }]);
  });

  it("list the neighbors to review, with the form in a dialog", async () => {
    responses.set("GET /api/guru/reviews/due", { body: { sessions: [DUE] } });
    renderApp("/guru/reviews", ADA);
    const user = userEvent.setup();
    expect(await screen.findByRole("heading", { name: "1 neighbor to review" })).toBeTruthy();
    expect(screen.getByText("Missed")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Review Nora Feldman" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Review Nora Feldman" }));
    expect(dialog.queryByLabelText(/private note/)).toBeNull();
    await user.click(dialog.getByRole("radio", { name: "1 star: Poor" }));
    await user.type(dialog.getByLabelText(/^Your review/), "Did not come.");
    responses.set("PUT /api/guru/bookings/b1/review", { status: 409, body: { code: "x", message: "Too late." } });
    await user.click(dialog.getByRole("button", { name: "Send review" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("Too late.");
    responses.set("PUT /api/guru/bookings/b1/review", { body: {} });
    responses.set("GET /api/guru/reviews/due", { body: { sessions: [] } });
    await user.click(dialog.getByRole("button", { name: "Send review" }));
    expect(await screen.findByText("Thanks! Your review is saved.")).toBeTruthy();
    const sent = calls.filter(({ route }) => route.startsWith("PUT")).map(({ body }) => body);
    expect(sent.at(-1)).toEqual({ stars: 1, body: "Did not come." });
  });

  it("say what to expect before the first one", async () => {
    responses.set("GET /api/guru/reviews", {
      body: { rating: null, counts: [0, 0, 0, 0, 0], reviews: [], nextCursor: null },
    });
    renderApp("/guru/reviews", ADA);
    expect(await screen.findByText("No reviews yet.")).toBeTruthy();
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later } from "@/features/bookings/pages/session-fixtures";

const { responses, calls } = apiServer();
const ROUTE = "/api/bookings/b1/review";
const OPEN = { bookingId: "b1", canWrite: true, reason: "", openUntil: later(24 * 13), own: null, received: null };
const OWN = {
  stars: 4,
  body: "Clear and patient.",
  privateNote: "The door sticks.",
  hidden: true,
  revealsAt: later(24 * 13),
  reply: "",
  removedWhy: "",
};
const RECEIVED = {
  id: "r2",
  stars: 5,
  body: "On time, and curious.",
  privateNote: "",
  revealedAt: later(-1),
  reply: "",
  removedWhy: "",
};

const serve = (changes: object = {}) => responses.set(`GET ${ROUTE}`, { body: { ...OPEN, ...changes } });
const open = async (at = "/sessions/b1") => {
  renderApp(at, ADA);
  return screen.findByRole("heading", { level: 1, name: "Knife skills" });
};

beforeEach(() => {
  sessionStorage.clear();
  const ended = bookingOf({ status: "completed", startsAt: later(-3), endsAt: later(-2) });
  responses.set("GET /api/bookings/b1", { body: ended });
});

describe("the reviews of a session", () => {
  it("are written with stars and words, which stay after an error", async () => {
    serve();
    await open();
    const user = userEvent.setup();
    await screen.findByRole("heading", { name: "How was it?" });
    const send = screen.getByRole("button", { name: "Send review" });
    await user.click(send);
    expect(screen.getByText("Please choose one to five stars.")).toBeTruthy();
    await user.click(screen.getByRole("radio", { name: "4 stars: Very good" }));
    expect(screen.queryByText("Please choose one to five stars.")).toBeNull();
    await user.type(screen.getByLabelText(/^Your review/), " Clear and patient. ");
    await user.type(screen.getByLabelText(/^A private note to Chef Guru/), "The door sticks.");
    responses.set(`PUT ${ROUTE}`, { status: 409, body: { code: "review_closed", message: "It is too late." } });
    await user.click(send);
    expect((await screen.findByRole("alert")).textContent).toContain("It is too late.");
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Your review/).value).toBe(" Clear and patient. ");
    responses.set(`PUT ${ROUTE}`, () => {
      serve({ own: OWN });
      return { body: { ...OPEN, own: OWN } };
    });
    await user.click(send);
    expect(await screen.findByText("Thanks! Your review helps other neighbors.")).toBeTruthy();
    expect(screen.getByText(/^Hidden until you both write, or until /)).toBeTruthy();
    const sent = calls.filter(({ route }) => route.startsWith("PUT")).map(({ body }) => body);
    const review = { stars: 4, body: "Clear and patient.", privateNote: "The door sticks." };
    expect(sent).toEqual([review, review]);
  });

  it("keep what was typed when the page is left", async () => {
    serve();
    await open();
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText(/^Your review/), "Half a thought");
    document.body.innerHTML = "";
    await open();
    expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Your review/)).value).toBe("Half a thought");
  });

  it("are changed while hidden", async () => {
    serve({ own: OWN });
    await open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Change your review" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "4 stars: Very good" }).checked).toBe(true);
    await user.click(screen.getByRole("radio", { name: "5 stars: Excellent" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "5 stars: Excellent" }).checked).toBe(true);
    responses.set(`PUT ${ROUTE}`, { body: { ...OPEN, own: { ...OWN, stars: 5 } } });
    serve({ own: { ...OWN, stars: 5 } });
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByText("5 out of 5")).toBeTruthy();
  });

  it("show both sides once they are out, with a reply", async () => {
    serve({ canWrite: false, own: { ...OWN, hidden: false, reply: "Thank you!" }, received: RECEIVED });
    await open("/sessions/b1#reviews");
    const section = within(await screen.findByRole("region", { name: "Reviews" }));
    await waitFor(() => expect(document.activeElement?.id).toBe("reviews"));
    expect(section.getByText("On time, and curious.")).toBeTruthy();
    expect(section.getByText("Thank you!", { exact: false })).toBeTruthy();
    expect(section.queryByRole("button", { name: "Change your review" })).toBeNull();
    expect(section.getByRole("button", { name: "Report this" })).toBeTruthy();
    const user = userEvent.setup();
    await user.click(section.getByRole("button", { name: "Reply" }));
    await user.type(section.getByLabelText(/^Your reply/), "See you soon");
    responses.set(`PUT ${ROUTE}/reply`, { status: 503, body: {} });
    await user.click(section.getByRole("button", { name: "Save reply" }));
    expect(await section.findByRole("alert")).toBeTruthy();
    expect(section.getByLabelText<HTMLTextAreaElement>(/^Your reply/).value).toBe("See you soon");
    const replied = { ...RECEIVED, reply: "See you soon" };
    responses.set(`PUT ${ROUTE}/reply`, { body: { ...OPEN, canWrite: false, own: OWN, received: replied } });
    serve({ canWrite: false, own: OWN, received: replied });
    await user.click(section.getByRole("button", { name: "Save reply" }));
    expect(await screen.findByText("Your reply is saved.")).toBeTruthy();
    expect(section.getByText("See you soon", { exact: false })).toBeTruthy();
  });

  it("say why our team removed one", async () => {
    serve({ canWrite: false, own: { ...OWN, hidden: false, removedWhy: "It names a child." } });
    await open();
    expect(await screen.findByText("Removed by our team: It names a child.")).toBeTruthy();
  });

  it("show a load error and retry", async () => {
    responses.set(`GET ${ROUTE}`, { status: 500, body: { message: "Broken" } });
    await open();
    expect(await screen.findByText("We couldn't load the reviews", {}, { timeout: 10_000 })).toBeTruthy();
    serve();
    await userEvent.setup().click(screen.getByRole("button", { name: /Try again/ }));
    expect(await screen.findByRole("heading", { name: "How was it?" })).toBeTruthy();
  });

  it.each([
    ["the guru has none", () => responses.set(`GET ${ROUTE}`, { status: 404, body: {} })],
    ["there is nothing to say", () => serve({ canWrite: false })],
    ["the session is ahead", () => responses.set("GET /api/bookings/b1", { body: bookingOf() })],
  ])("are left out when %s", async (_, prepare) => {
    prepare();
    await open();
    await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull());
    expect(screen.queryByRole("heading", { name: /How was it|^Reviews$/ })).toBeNull();
  });

  it("shows nothing while reviews are off", async () => {
    serve();
    responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { reviews: false } } });
    const { queries } = renderApp("/sessions/b1", ADA);
    await screen.findByRole("heading", { level: 1, name: "Knife skills" });
    await expect.poll(() => queries.getQueryData(["config"]) !== undefined).toBe(true);
    await waitFor(() => expect(screen.queryByRole("heading", { name: "How was it?" })).toBeNull());
  });
});

describe("the reviews of a customer's link", () => {
  const LINK = "/api/booked/abc/review";

  it("are written, changed and answered without an account", async () => {
    const ended = bookingOf({ status: "completed", startsAt: later(-3), endsAt: later(-2) });
    responses.set("GET /api/booked/abc", { body: ended });
    responses.set(`GET ${LINK}`, { body: OPEN });
    renderApp("/booked/abc");
    await screen.findByRole("heading", { name: "How was it?" });
    expect(screen.getByText(/Then everyone sees it without your name\./)).toBeTruthy();
    const user = userEvent.setup();
    await user.click(screen.getByRole("radio", { name: "4 stars: Very good" }));
    await user.type(screen.getByLabelText(/^Your review/), "Clear.");
    responses.set(`PUT ${LINK}`, { status: 409, body: { code: "review_closed", message: "It is too late." } });
    await user.click(screen.getByRole("button", { name: "Send review" }));
    expect((await screen.findByRole("alert")).textContent).toContain("It is too late.");
    const revealed = { ...OPEN, canWrite: false, own: { ...OWN, hidden: false }, received: RECEIVED };
    responses.set(`PUT ${LINK}`, () => {
      responses.set(`GET ${LINK}`, { body: revealed });
      return { body: revealed };
    });
    await user.click(screen.getByRole("button", { name: "Send review" }));
    expect(await screen.findByText("On time, and curious.")).toBeTruthy();
    expect(calls.findLast(({ route }) => route.startsWith("PUT"))?.body).toMatchObject({ stars: 4, body: "Clear." });
    expect(screen.queryByRole("button", { name: /Report/ })).toBeNull();
  });
});

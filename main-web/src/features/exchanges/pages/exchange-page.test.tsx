import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { ASKED, CONFIRMED, OFFER } from "./exchanges-fixtures";

const { calls, responses } = apiServer();
const PATH = `/api/exchanges/${ASKED.id}`;
const PAGE = `/exchanges/${ASKED.id}`;

const show = (data: typeof ASKED) => responses.set(`GET ${PATH}`, { body: data });

describe("a request for a session", () => {
  it("is accepted at one of its times", async () => {
    show(ASKED);
    responses.set(`POST ${PATH}/answers`, { body: CONFIRMED });
    renderApp(PAGE, ADA);
    const times = await screen.findByRole("region", { name: "Proposed times" });
    expect(within(times).getByText("You have another session at this time.")).toBeTruthy();
    const [accept] = within(times).getAllByRole("button", { name: /^Accept / });
    show(CONFIRMED);
    if (accept) await userEvent.click(accept);
    expect(await screen.findByText("You two agreed on this time.")).toBeTruthy();
    expect(await screen.findByText(/^Agreed\. You both get an email/)).toBeTruthy();
    const sent = calls.find(({ route }) => route.startsWith("POST"));
    expect(sent?.body).toMatchObject({ answer: "accept", sequence: 0, startsAt: ASKED.proposals[0]?.startsAt });
  });

  it("keeps what was typed when a step is refused", async () => {
    show(ASKED);
    const message = "This request was changed in the meantime. Please look at it again.";
    responses.set(`POST ${PATH}/answers`, {
      status: 409,
      body: { code: "exchange_changed", message },
    });
    renderApp(PAGE, ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Propose other times" }));
    const words = await screen.findByRole("textbox", { name: /Words for Lea/ });
    await userEvent.type(words, "Fridays suit me");
    await userEvent.click(screen.getByRole("button", { name: "Propose" }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByDisplayValue("Fridays suit me")).toBeTruthy();
  });

  it("shows a waiver that is due to both sides", async () => {
    show({ ...CONFIRMED, risk: "high", waiverDue: true });
    renderApp(PAGE, ADA);
    expect(await screen.findByText(/^Waiver due: Lea Learner has to accept/)).toBeTruthy();
    expect(screen.getByText(/before you start\.$/)).toBeTruthy();
  });

  it("says that a waiver comes before the time", async () => {
    show({ ...ASKED, risk: "high", waiverDue: true });
    renderApp(PAGE, ADA);
    expect(await screen.findByText(/^Waiver due: Lea Learner .* before you can agree on a time\.$/)).toBeTruthy();
  });

  it("is not found", async () => {
    responses.set(`GET ${PATH}`, { status: 404 });
    renderApp(PAGE, ADA);
    expect(await screen.findByText("We can't find this session.")).toBeTruthy();
  });
});

describe("asking for a session", () => {
  const LISTING = `/exchanges/new?offer=${OFFER.id}`;

  it("sends the times, and leads to the request", async () => {
    responses.set(`GET /api/exchanges/offers/${OFFER.id}`, { body: OFFER });
    responses.set("POST /api/exchanges", { status: 201, body: ASKED });
    show(ASKED);
    renderApp(LISTING, ADA);
    await screen.findByRole("heading", { name: "Sourdough baking with Tom Teacher" });
    await userEvent.click(screen.getByRole("radio", { name: "Online" }));
    expect(
      screen.getByText(/You have 4 h 30 min\. You can go down to -10 h\. This session takes you to 3 h 30 min\./),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole("radio", { name: /^A swap/ }));
    await userEvent.click(screen.getByRole("button", { name: "Ask Tom Teacher" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Sourdough baking" })).toBeTruthy();
    const sent = calls.find(({ route }) => route.startsWith("POST"));
    expect(sent?.body).toMatchObject({ offerId: OFFER.id, minutes: 60, place: "online", mode: "swap" });
  });

  it("says why it is not possible", async () => {
    const refusal = "You two have three open requests already. Please settle one of them first.";
    responses.set(`GET /api/exchanges/offers/${OFFER.id}`, { body: { ...OFFER, refusal } });
    renderApp(LISTING, ADA);
    expect(await screen.findByText(refusal)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Ask Tom Teacher" }).disabled).toBe(true);
  });

  it("begins with a choice of what a neighbor teaches", async () => {
    const data = { name: "Tom", offers: [{ id: OFFER.id, title: "Sourdough baking" }] };
    responses.set("GET /api/exchanges/offers", { body: data });
    renderApp("/exchanges/new?neighbor=tom", ADA);
    const link = await screen.findByRole("link", { name: "Sourdough baking" });
    expect(link.getAttribute("href")).toBe(LISTING);
  });
});

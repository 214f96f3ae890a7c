import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { CardPayments } from "@/features/money/contract";
import type { OwnWaiverText, ServiceBooking, ServiceRisk } from "../lib/types";

const { responses, calls } = apiServer();
const SAVE = "PUT /api/guru/waiver-text";
const TERMS = { freeUntilMinutes: 1440, latePercent: 0, missedPercent: 50, movesMax: 2, moveUntilMinutes: 1440 };
const BOOKING: ServiceBooking = {
  revision: 4,
  serviceId: "s1",
  minutes: 60,
  open: true,
  capacity: 1,
  partyMax: 1,
  setupMinutes: 0,
  cleanupMinutes: 0,
  starts: "hours",
  approval: "instant",
  place: "online",
  placeText: "https://meet.example/a",
  bring: "",
  questions: [],
  waiver: "risk",
  risk: "",
  policy: "flexible",
  payment: "in_person",
  depositPercent: 20,
  terms: TERMS,
  standardTerms: { flexible: TERMS, moderate: TERMS, strict: TERMS },
};
const CARDS: CardPayments = { state: "ready", feeBps: 1000, feeMinimumCents: 50, minimumCents: 500 };
const TEXT: OwnWaiverText = { revision: 2, body: "Bring gloves.", sha256: "aa", updatedAt: "2026-11-23T18:00:00Z" };
const RISK_AT = "GET /api/guru/services/s1/risk";
const RISK: ServiceRisk = {
  risk: { rating: "high", requiresWaiver: true, reasons: ["“boxing”: strikes."], known: true },
  ownRating: null,
  review: null,
  canAsk: true,
};
const ASKED = { sentence: "No partner.", level: null, askedAt: "2026-11-23T18:00:00Z", answeredAt: null };
const CONFLICT = { status: 409, body: { code: "changed_elsewhere", message: "Changed." } };

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", {
    body: {
      guru: { label: "ada", status: "active", address: "http://ada.porchlight.test", newLeads: 0, suspension: null },
    },
  });
  const service = {
    id: "s1",
    name: "Lesson",
    priceCents: 7500,
    currency: "USD",
    durationMinutes: 60,
    features: [],
    openForBooking: true,
  };
  responses.set("GET /api/guru/services", { body: { services: [service] } });
  responses.set("GET /api/guru/services/s1/booking", { body: BOOKING });
  responses.set("GET /api/guru/calendar", { body: { zone: "America/Denver" } });
  responses.set("GET /api/guru/waiver-text", { body: TEXT });
  responses.set("GET /api/guru/card-payments", { body: CARDS });
  responses.set(RISK_AT, { body: RISK });
});

async function openPage() {
  renderApp("/guru/services/s1/booking", ADA);
  const field = await screen.findByLabelText<HTMLTextAreaElement>(/What neighbors should know/);
  return { user: userEvent.setup(), field };
}

const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save waiver text" });

describe("the place of a service", () => {
  it("needs an address or a link before neighbors can book", async () => {
    const route = "PUT /api/guru/services/s1/booking";
    responses.set("GET /api/guru/services/s1/booking", { body: { ...BOOKING, place: "guru", placeText: "" } });
    const { user } = await openPage();
    await user.click(screen.getByRole("radio", { name: "Always" }));
    await user.click(screen.getByRole("button", { name: "Save booking settings" }));
    expect(await screen.findByText("Enter your address, so that neighbors can find you")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Your address and how to find it"));
    expect(bodies(route)).toEqual([]);
    responses.set(route, { status: 422, body: { code: "validation_failed", fields: { placeText: "Say where." } } });
    await user.type(screen.getByLabelText("Your address and how to find it"), "9 Oak Street");
    await user.click(screen.getByRole("button", { name: "Save booking settings" }));
    expect(await screen.findByText("Say where.")).toBeTruthy();
    await user.click(screen.getByRole("checkbox", { name: "Open for booking" }));
    expect(screen.getByLabelText(/^Your address and how to find it\s*Optional/)).toBeTruthy();
  });
});

it("saves what neighbors should bring", async () => {
  const route = "PUT /api/guru/services/s1/booking";
  responses.set(route, { body: { ...BOOKING, bring: "A mat.\nWater." } });
  const { user } = await openPage();
  const field = screen.getByLabelText<HTMLTextAreaElement>(/^What should I bring\?/);
  expect(field.maxLength).toBe(300);
  fireEvent.change(field, { target: { value: " A mat.\nWater. " } });
  await user.click(screen.getByRole("button", { name: "Save booking settings" }));
  await screen.findByText("Saved. They apply to new bookings.");
  expect(bodies(route)).toMatchObject([{ bring: "A mat.\nWater." }]);
  expect(field.value).toBe("A mat.\nWater.");
  responses.set(route, { status: 422, body: { code: "validation_failed", fields: { bring: "Shorter, please." } } });
  fireEvent.change(field, { target: { value: "A mat." } });
  await user.click(screen.getByRole("button", { name: "Save booking settings" }));
  expect(await screen.findByText("Shorter, please.")).toBeTruthy();
});

describe("the questions of a service", () => {
  const route = "PUT /api/guru/services/s1/booking";
  const QUESTION = { label: "Your level?", kind: "short" as const, required: true, choices: [] };
  const saveSettings = () => screen.getByRole("button", { name: "Save booking settings" });
  const labels = () => screen.getAllByLabelText<HTMLInputElement>("Your question").map(({ value }) => value);

  it("are added, and what is missing is named beside the first wrong field", async () => {
    responses.set(route, { body: BOOKING });
    const { user } = await openPage();
    await user.click(screen.getByRole("button", { name: "Add a question" }));
    const label = screen.getByLabelText<HTMLInputElement>("Your question");
    await waitFor(() => expect(document.activeElement).toBe(label));
    expect(label.maxLength).toBe(120);
    await user.selectOptions(screen.getByLabelText("They answer with"), "One of your choices");
    await user.click(saveSettings());
    expect([screen.getByText("Enter your question.").id, document.activeElement]).toEqual([
      label.getAttribute("aria-describedby"),
      label,
    ]);
    expect(screen.getByText("Enter 2 to 8 choices, one on each line.")).toBeTruthy();
    await user.type(label, " Which size? ");
    fireEvent.change(screen.getByLabelText("Choices"), { target: { value: "Small\n\n Large " } });
    await user.click(screen.getByRole("checkbox", { name: "Neighbors have to answer" }));
    expect(screen.getByText("What neighbors see").parentElement?.textContent).toContain("Which size?");
    await user.click(saveSettings());
    await screen.findByText("Saved. They apply to new bookings.");
    const sent = { label: "Which size?", kind: "choice", required: true, choices: ["Small", "Large"] };
    expect(bodies(route)).toMatchObject([{ questions: [sent] }]);
  });

  it("move and go by keyboard, and focus stays with them", async () => {
    const questions = ["First?", "Second?", "Third?"].map((label) => ({ ...QUESTION, label }));
    responses.set("GET /api/guru/services/s1/booking", { body: { ...BOOKING, questions } });
    const { user } = await openPage();
    screen.getByRole("button", { name: "Move question 2 up" }).focus();
    await user.keyboard("{Enter}");
    expect(labels()).toEqual(["Second?", "First?", "Third?"]);
    // It is the first one now, so the button that moves it down is the next to press.
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "Move question 1 down" })),
    );
    expect(screen.getByText("The question is now 1 of 3.")).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(labels()).toEqual(["First?", "Second?", "Third?"]);
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "Move question 2 down" })),
    );
    screen.getByRole("button", { name: "Remove question 3" }).focus();
    await user.keyboard("{Enter}");
    expect(labels()).toEqual(["First?", "Second?"]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getAllByLabelText("Your question")[1]));
  });

  it("are five at most, and stay when the server refuses them", async () => {
    const questions = [1, 2, 3, 4, 5].map((number) => ({ ...QUESTION, label: `Question ${number}?` }));
    responses.set("GET /api/guru/services/s1/booking", { body: { ...BOOKING, questions } });
    const fields = { "questions.4.label": "Ask something else." };
    responses.set(route, { status: 422, body: { code: "validation_failed", message: "Please check.", fields } });
    const { user } = await openPage();
    expect(screen.getByText("You can ask up to 5 questions.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Add a question" })).toBeNull();
    await user.type(screen.getAllByLabelText("Your question").at(-1) ?? document.body, " Why");
    await user.click(saveSettings());
    expect(await screen.findByText("Ask something else.")).toBeTruthy();
    expect(labels()[4]).toBe("Question 5? Why");
  });
});

describe("the waiver of a service", () => {
  it("is required as the guru chooses", async () => {
    responses.set("PUT /api/guru/services/s1/booking", { body: { ...BOOKING, waiver: "signed" } });
    const { user } = await openPage();
    await user.click(screen.getByRole("radio", { name: "Always, with a signature" }));
    await user.click(screen.getByRole("button", { name: "Save booking settings" }));
    await screen.findByText("Saved. They apply to new bookings.");
    expect(bodies("PUT /api/guru/services/s1/booking")).toMatchObject([{ revision: 4, waiver: "signed" }]);
  });

  it("has the guru's own text, which is saved as a new version", async () => {
    responses.set(SAVE, { body: { ...TEXT, revision: 3, body: "Bring gloves.\nAnd goggles." } });
    const { user, field } = await openPage();
    expect(field.value).toBe("Bring gloves.");
    expect(screen.getByText(/^Version 2, from .*Nov 23.*\. After a change, neighbors accept/)).toBeTruthy();
    fireEvent.change(field, { target: { value: "Bring gloves.\nAnd goggles." } });
    await user.click(save());
    await screen.findByText("Saved. Neighbors see it at their next booking.");
    expect(bodies(SAVE)).toEqual([{ revision: 2, body: "Bring gloves.\nAnd goggles." }]);
    expect(await screen.findByText(/^Version 3, /)).toBeTruthy();
  });

  it("counts characters and does not save a text that is too long", async () => {
    const { user, field } = await openPage();
    fireEvent.change(field, { target: { value: "🧤".repeat(1000) } });
    expect(screen.getByText("1000 of 1000 characters. No formatting.")).toBeTruthy();
    expect(screen.queryByText("1000 characters max")).toBeNull();
    fireEvent.change(field, { target: { value: "x".repeat(1001) } });
    expect(screen.getByText("1000 characters max")).toBeTruthy();
    await user.click(save());
    expect(bodies(SAVE)).toEqual([]);
  });

  it("keeps what was typed when the text changed elsewhere", async () => {
    responses.set(SAVE, CONFLICT);
    const { user, field } = await openPage();
    fireEvent.change(field, { target: { value: "Mine." } });
    responses.set("GET /api/guru/waiver-text", { body: { ...TEXT, revision: 3, body: "Other." } });
    await user.click(save());
    expect(await screen.findByText(/Your waiver text was changed in another tab/)).toBeTruthy();
    expect(field.value).toBe("Mine.");
    responses.set(SAVE, { body: { ...TEXT, revision: 4, body: "Mine." } });
    await user.click(screen.getByRole("button", { name: "Save my version" }));
    await screen.findByText("Saved. Neighbors see it at their next booking.");
    expect(bodies(SAVE).at(-1)).toEqual({ revision: 3, body: "Mine." });
  });

  it("says when it could not be loaded", async () => {
    responses.set("GET /api/guru/waiver-text", { status: 503, body: { code: "unavailable", message: "Later." } });
    renderApp("/guru/services/s1/booking", ADA);
    expect(await screen.findByText("We couldn't load the booking settings")).toBeTruthy();
  });
});

describe("our rating of a service", () => {
  const rating = async () => within(await screen.findByRole("region", { name: "Our rating" }));

  it("has reasons, and a review that the guru asks for with a sentence", async () => {
    const route = "POST /api/guru/services/s1/risk-review";
    responses.set(route, { status: 409, body: { code: "too_many_reviews", message: "Please wait." } });
    const { user } = await openPage();
    const card = await rating();
    expect(await card.findByText("High Risk")).toBeTruthy();
    expect(card.getByText("“boxing”: strikes.")).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Ask for a review" }));
    await user.click(card.getByRole("button", { name: "Send to our team" }));
    expect(card.getByText("Tell us in a sentence")).toBeTruthy();
    expect(bodies(route)).toEqual([]);
    await user.type(card.getByLabelText(/What should we know/), " No partner. ");
    await user.click(card.getByRole("button", { name: "Send to our team" }));
    expect(await card.findByText("Please wait.")).toBeTruthy();
    responses.set(route, { status: 201, body: { ...RISK, review: ASKED, canAsk: false } });
    await user.click(card.getByRole("button", { name: "Send to our team" }));
    expect(await card.findByText(/We'll email you what we find/)).toBeTruthy();
    expect(bodies(route).at(-1)).toEqual({ sentence: "No partner." });
    expect(card.queryByRole("button")).toBeNull();
  });

  it("shows the answer of the team, and what the guru chose instead", async () => {
    const review = { ...ASKED, level: "medium", answeredAt: "2026-11-24T18:00:00Z" };
    const risk = {
      rating: "medium",
      requiresWaiver: false,
      reasons: ["Reviewed by our team: medium risk."],
      known: true,
    };
    responses.set(RISK_AT, { body: { risk, ownRating: "low", review, canAsk: false } });
    await openPage();
    const card = await rating();
    expect(await card.findByText(/Our team answered .*: medium risk\./)).toBeTruthy();
    expect(card.getByText("Medium Risk")).toBeTruthy();
    expect(card.getByText("You rated it low risk, and that counts.")).toBeTruthy();
  });

  it("says when it could not be loaded, beside the other settings", async () => {
    responses.set(RISK_AT, { status: 503, body: { code: "unavailable", message: "Later." } });
    await openPage();
    expect(await screen.findByText("We couldn't load the rating")).toBeTruthy();
    expect(save()).toBeTruthy();
  });
});

describe("how people pay", () => {
  const route = "PUT /api/guru/services/s1/booking";
  const byCard = () => screen.getByRole<HTMLInputElement>("radio", { name: /^By card when they book/ });
  const cards = (changes: Partial<CardPayments>) =>
    responses.set("GET /api/guru/card-payments", { body: { ...CARDS, ...changes } });

  it("can be by card, and says what the guru gets", async () => {
    responses.set(route, { body: { ...BOOKING, payment: "full" } });
    const { user } = await openPage();
    await waitFor(() => expect(byCard().disabled).toBe(false));
    await user.click(byCard());
    expect(await screen.findByText("You get $67.50. Porchlight keeps $7.50 (10%).")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Save booking settings" }));
    await screen.findByText("Saved. They apply to new bookings.");
    expect(bodies(route)).toMatchObject([{ payment: "full" }]);
  });

  it.each([
    ["not_set_up", /^Payments are not set up on this site yet\./, null, null],
    ["plan_required", /^Taking cards needs a plan/, "See the plans", "/pricing"],
    ["not_connected", /^Connect your payout account first/, "Set up payouts", "/account/payouts"],
  ] as const)("is at the session only: %s", async (state, text, name, href) => {
    cards({ state });
    await openPage();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(byCard().disabled).toBe(true);
    if (name) expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
  });

  it("needs a price that a card can be charged", async () => {
    cards({ minimumCents: 8000 });
    await openPage();
    expect(await screen.findByText(/^Cards take prices from \$80\.00\./)).toBeTruthy();
    expect(byCard().disabled).toBe(true);
  });

  it("stays by card while something is missing, and can be changed", async () => {
    responses.set("GET /api/guru/services/s1/booking", { body: { ...BOOKING, payment: "full" } });
    cards({ state: "plan_required" });
    responses.set(route, { status: 422, body: { code: "validation_failed", fields: { payment: "Not by card." } } });
    const { user } = await openPage();
    expect(await screen.findByText(/^People can't pay this service by card right now\./)).toBeTruthy();
    expect([byCard().checked, byCard().disabled]).toEqual([true, false]);
    await user.click(screen.getByRole("radio", { name: /^At the session/ }));
    await user.click(screen.getByRole("button", { name: "Save booking settings" }));
    expect(await screen.findByText("Not by card.")).toBeTruthy();
  });

  it("says that it couldn't be loaded", async () => {
    responses.set("GET /api/guru/card-payments", { status: 500 });
    await openPage();
    expect(await screen.findByText("We couldn't load whether you can take cards.")).toBeTruthy();
    expect(byCard().disabled).toBe(true);
  });
});

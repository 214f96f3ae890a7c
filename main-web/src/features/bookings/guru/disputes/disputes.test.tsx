import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { GURU } from "../lib/booking-fixtures";
import type { GuruDisputeDetails } from "../lib/types";

const { responses, calls } = apiServer();
const DRAFT = "PUT /api/guru/disputes/d1/draft";
const ANSWER = "POST /api/guru/disputes/d1/answer";
const DISPUTE: GuruDisputeDetails = {
  id: "d1",
  state: "open",
  amountCents: 4501,
  shareCents: 4051,
  reason: "The cardholder says that the session didn't take place.",
  personName: "Alex Long",
  serviceName: "Lesson",
  openedAt: "2099-12-05T18:00:00Z",
  dueBy: "2099-12-12T18:00:00Z",
  answerState: "",
  answeredAt: null,
  canAnswer: true,
  bookingId: "b1",
  facts: [{ label: "Service", value: "Lesson" }],
  words: "",
  customerWords: "",
};

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/statement", { body: { items: [], nextCursor: null } });
  responses.set("GET /api/guru/disputes", { body: { disputes: [DISPUTE], nextCursor: null } });
  responses.set("GET /api/guru/disputes/d1", { body: DISPUTE });
  responses.set(DRAFT, { body: DISPUTE });
});

describe("the disputes of a guru", () => {
  it("are listed with the deadline, and open", async () => {
    renderApp("/guru/money", ADA);
    expect(await screen.findByText("Answer by Dec 12, 2099.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Answer the question about Lesson" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(
      await dialog.findByText(/The bank has taken \$45\.01 back until it decides\. \$40\.51 of it is yours\./),
    ).toBeTruthy();
    expect(dialog.getByText("What we send for you")).toBeTruthy();
  });

  it("keep the words as a draft, and send them after a question", async () => {
    renderApp("/guru/money?dispute=d1", ADA);
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(await dialog.findByRole("button", { name: "Send to the bank" }));
    expect(await dialog.findByText("Say in your words what happened.")).toBeTruthy();
    await userEvent.type(dialog.getByLabelText("What happened"), "We met.");
    expect(await dialog.findByText("Draft saved.", {}, { timeout: 3000 })).toBeTruthy();
    expect(calls.filter(({ route }) => route === DRAFT).at(-1)?.body).toEqual({ words: "We met.", customerWords: "" });
    await userEvent.click(dialog.getByRole("button", { name: "Send to the bank" }));
    const message = "The time to answer is over. The bank decides with what it has.";
    responses.set(ANSWER, { status: 409, body: { code: "answer_too_late", message } });
    const confirm = within(await screen.findByRole("alertdialog"));
    await userEvent.click(confirm.getByRole("button", { name: "Send to the bank" }));
    expect(await confirm.findByText(message)).toBeTruthy();
    const sent = { ...DISPUTE, answerState: "requested" as const, canAnswer: false, words: "We met." };
    responses.set(ANSWER, { body: sent });
    responses.set("GET /api/guru/disputes/d1", { body: sent });
    await userEvent.click(confirm.getByRole("button", { name: "Send to the bank" }));
    expect(await screen.findByText("On its way to the bank.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });

  it("say why there is no answer any more", async () => {
    const late = { ...DISPUTE, canAnswer: false, dueBy: "2020-12-12T18:00:00Z" };
    responses.set("GET /api/guru/disputes/d1", { body: late });
    renderApp("/guru/money?dispute=d1", ADA);
    expect(await screen.findByText("The time to answer is over. The bank decides with what it has.")).toBeTruthy();
  });

  it("can fail to load, and are loaded again", async () => {
    responses.set("GET /api/guru/disputes/d1", { status: 500 });
    renderApp("/guru/money?dispute=d1", ADA);
    expect(await screen.findByText("We couldn't load this")).toBeTruthy();
    responses.set("GET /api/guru/disputes/d1", { body: DISPUTE });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("What we send for you")).toBeTruthy();
  });
});

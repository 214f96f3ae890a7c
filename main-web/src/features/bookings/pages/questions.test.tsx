import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { Question } from "@/lib/questions";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { BOOKING, HOLD, TOKEN } from "./book-page-fixtures";
import { bookingOf } from "./session-fixtures";

const { responses, calls } = apiServer();
const QUESTIONS: Question[] = [
  { label: "How long have you played?", kind: "choice", required: true, choices: ["Not yet", "A year"] },
  { label: "What do you want to learn?", kind: "long", required: false, choices: [] },
  { label: "Any allergy to nuts?", kind: "yes_no", required: true, choices: [] },
];
const ANSWERS = [
  { question: "How long have you played?", answer: "A year" },
  { question: "Any allergy to nuts?", answer: "No" },
];
const NEEDED = "Please answer this question.";
const REFUSED = { code: "validation_failed", message: "Please check the highlighted fields." };
const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => sessionStorage.clear());

describe("the questions before a booking", () => {
  const book = () => screen.findByRole<HTMLButtonElement>("button", { name: /^(Book|Ask) for/ });

  beforeEach(() => responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, questions: QUESTIONS } }));

  it("need an answer, and the first one that is missing gets focus", async () => {
    responses.set("POST /api/bookings", { status: 201, body: BOOKING });
    responses.set("GET /api/bookings/b-1", { body: BOOKING });
    renderApp(`/book/${TOKEN}`, ADA);
    const user = userEvent.setup();
    await user.click(await book());
    const level = screen.getByLabelText("How long have you played?");
    expect(screen.getAllByText(NEEDED)).toHaveLength(2);
    expect([document.activeElement, level.getAttribute("aria-invalid")]).toEqual([level, "true"]);
    expect(bodies("POST /api/bookings")).toEqual([]);
    await user.selectOptions(level, "A year");
    expect(screen.getAllByText(NEEDED)).toHaveLength(1);
    await user.selectOptions(screen.getByLabelText("Any allergy to nuts?"), "No");
    await user.click(await book());
    await screen.findByRole("heading", { name: "You're booked!" });
    expect(bodies("POST /api/bookings")).toMatchObject([{ answers: ANSWERS }]);
  });

  it("keep what was typed when the page is loaded again, also under other questions", async () => {
    renderApp(`/book/${TOKEN}`, ADA);
    fireEvent.change(await screen.findByLabelText(/^What do you want to learn\?/), { target: { value: "A waltz" } });
    fireEvent.change(screen.getByLabelText("How long have you played?"), { target: { value: "A year" } });
    cleanup();
    const changed = [{ label: "Anything else?", kind: "short", required: false, choices: [] }, QUESTIONS[1]];
    responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, questions: changed } });
    renderApp(`/book/${TOKEN}`, ADA);
    expect((await screen.findByLabelText<HTMLTextAreaElement>(/^What do you want/)).value).toBe("A waltz");
    expect(screen.getByLabelText<HTMLInputElement>(/^Anything else\?/).value).toBe("");
  });

  it("show what the server says about an answer", async () => {
    responses.set("POST /api/bookings", {
      status: 422,
      body: { ...REFUSED, fields: { "answers.1": "Use up to 500 characters." } },
    });
    renderApp(`/book/${TOKEN}`, ADA);
    fireEvent.change(await screen.findByLabelText("How long have you played?"), { target: { value: "A year" } });
    fireEvent.change(screen.getByLabelText("Any allergy to nuts?"), { target: { value: "No" } });
    fireEvent.click(await book());
    expect(await screen.findByText("Use up to 500 characters.")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText(/^What do you want to learn\?/));
  });
});

describe("the answers of a session", () => {
  it("are shown and changed, and what was typed stays after an error", async () => {
    const booking = bookingOf({ questions: QUESTIONS, answers: ANSWERS });
    const route = "PUT /api/bookings/b1/question-answers";
    responses.set("GET /api/bookings/b1", { body: booking });
    responses.set(route, { status: 503, body: {} });
    renderApp("/sessions/b1", ADA);
    expect((await screen.findByText("Any allergy to nuts?")).nextSibling?.textContent).toBe("No");
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Change answers" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Change your answers" }));
    const level = dialog.getByLabelText("How long have you played?");
    await user.selectOptions(level, "");
    await user.click(dialog.getByRole("button", { name: "Save answers" }));
    expect([document.activeElement, dialog.getByText(NEEDED).id]).toEqual([
      level,
      level.getAttribute("aria-describedby"),
    ]);
    await user.selectOptions(level, "Not yet");
    await user.click(dialog.getByRole("button", { name: "Save answers" }));
    expect(await dialog.findByRole("alert")).toBeTruthy();
    const changed = [{ question: "How long have you played?", answer: "Not yet" }, ANSWERS[1]];
    responses.set(route, { body: { ...booking, answers: changed } });
    responses.set("GET /api/bookings/b1", { body: { ...booking, answers: changed } });
    await user.click(dialog.getByRole("button", { name: "Save answers" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies(route)).toEqual([{ answers: changed }, { answers: changed }]);
    expect(screen.getByText("Not yet")).toBeTruthy();
  });

  it("stay as they are once the session is over", async () => {
    const past = { startsAt: "2020-01-01T16:00:00Z", endsAt: "2020-01-01T17:00:00Z", status: "completed" };
    responses.set("GET /api/bookings/b1", { body: bookingOf({ ...past, questions: QUESTIONS, answers: ANSWERS }) });
    renderApp("/sessions/b1", ADA);
    expect(await screen.findByText("Any allergy to nuts?")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Change answers" })).toBeNull();
  });

  it("can be given by a customer, who may leave questions open", async () => {
    const booking = bookingOf({ questions: QUESTIONS });
    responses.set("GET /api/booked/l1", { body: booking });
    responses.set("PUT /api/booked/l1/question-answers", { body: { ...booking, answers: ANSWERS.slice(1) } });
    renderApp("/booked/l1");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Answer the questions" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.selectOptions(dialog.getByLabelText(/^Any allergy to nuts\?/), "No");
    await user.click(dialog.getByRole("button", { name: "Save answers" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies("PUT /api/booked/l1/question-answers")).toEqual([{ answers: ANSWERS.slice(1) }]);
  });
});

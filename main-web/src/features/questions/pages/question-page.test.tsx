import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Question } from "../api/get-question";

const { responses } = apiServer();
const QUESTION: Question = {
  id: "q1",
  body: "Do you teach beginners?",
  createdAt: "2026-11-20T12:00:00Z",
  mine: false,
  asker: { handle: "zoe-quill", name: "Zoe Quill", photoURL: "" },
  replyTo: "zoe@example.com",
};

describe("a question", () => {
  it("can be answered by email and reported", async () => {
    responses.set("GET /api/questions/q1", { body: QUESTION });
    renderApp("/questions/q1", ADA);
    expect(await screen.findByText("Do you teach beginners?")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Zoe Quill" }).getAttribute("href")).toBe("/u/zoe-quill");
    expect(screen.getByRole("link", { name: "Answer by email" }).getAttribute("href")).toMatch(
      /^mailto:zoe@example\.com\?subject=/,
    );
    expect(screen.getByRole("button", { name: "Report this" })).toBeTruthy();
  });

  it("that the user asked has neither", async () => {
    const asker = { ...QUESTION.asker, handle: null };
    responses.set("GET /api/questions/q1", { body: { ...QUESTION, mine: true, replyTo: "", asker } });
    renderApp("/questions/q1", ADA);
    expect(await screen.findByText("You asked this. You'll get the answer by email.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Answer by email" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Report this" })).toBeNull();
  });

  it("shows a load error and retries, and says when it is unknown", async () => {
    responses.set("GET /api/questions/q1", { status: 503 });
    renderApp("/questions/q1", ADA);
    expect(await screen.findByText("We couldn't load this question")).toBeTruthy();
    responses.set("GET /api/questions/q1", { status: 404, body: { code: "not_found", message: "Not found." } });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Question not found" })).toBeTruthy();
  });
});

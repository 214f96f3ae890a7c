import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses } = apiServer();

const UNVERIFIED = {
  status: 403,
  body: { code: "email_unverified", message: "Please verify your email address first. We sent you a link." },
};
const NEW = { ...ADA, user: { ...ADA.user, emailVerified: false } };
const THEO = {
  handle: "theo-barnes",
  displayName: "Theo Barnes",
  bio: "",
  location: "",
  photoURL: "",
  skills: { offered: [], wanted: [] },
  languages: [],
  availability: "",
  memberSince: "2026-10-03T09:00:00Z",
};
const SHEET = { name: "Verify your email" };

it("keeps the question of a new neighbor, who verifies the address and sends it", async () => {
  responses.set("GET /api/users/theo-barnes", { body: THEO });
  responses.set("GET /api/users/theo-barnes/reviews", {
    body: { services: [], answerMinutes: null, reviews: [], nextCursor: null },
  });
  responses.set("POST /api/users/theo-barnes/questions", UNVERIFIED);
  const resendVerification = vi.fn(() => Promise.resolve());
  const checkVerification = vi.fn(() => Promise.resolve(true));
  renderApp("/u/theo-barnes", NEW, { resendVerification, checkVerification });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Ask Theo" }));
  await user.type(await screen.findByLabelText("Your question"), "Do you teach beginners?");
  await user.click(screen.getByRole("button", { name: "Send question" }));
  const sheet = await screen.findByRole("dialog", SHEET);
  expect(sheet.textContent).toContain("We sent a link to ada@example.com.");
  expect(document.body.textContent).not.toContain("Access denied");
  await user.click(screen.getByRole("button", { name: "Resend email" }));
  expect(resendVerification).toHaveBeenCalledOnce();
  responses.set("POST /api/users/theo-barnes/questions", { status: 201, body: { message: "It is on its way." } });
  await user.click(screen.getByRole("button", { name: "I've verified my email" }));
  await waitFor(() => expect(screen.queryByRole("dialog", SHEET)).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your question").value).toBe("Do you teach beginners?");
  await user.click(screen.getByRole("button", { name: "Send question" }));
  expect(await screen.findByText("It is on its way.")).toBeTruthy();
});

it("loads what the page could not load before", async () => {
  responses.set("GET /api/connect/status", UNVERIFIED);
  renderApp("/account/payouts", NEW, { checkVerification: () => Promise.resolve(true) });
  const user = userEvent.setup();
  await screen.findByRole("dialog", SHEET);
  const asked = vi.fn(() => ({ status: 500 }));
  responses.set("GET /api/connect/status", asked);
  await user.click(screen.getByRole("button", { name: "I've verified my email" }));
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
});

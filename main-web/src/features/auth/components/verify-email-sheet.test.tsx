import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { message, recipient, threadCard } from "@/features/messages/messages-fixtures";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();

const UNVERIFIED = {
  status: 403,
  body: { code: "email_unverified", message: "Please verify your email address first. We sent you a link." },
};
const NEW = { ...ADA, user: { ...ADA.user, emailVerified: false } };
const THEO = recipient();
const THREAD = threadCard();
const MESSAGE = message({ mine: true });
const SHEET = { name: "Verify your email" };

it("keeps the message of a new neighbor, who verifies the address and sends it", async () => {
  responses.set("GET /api/messages/recipients", { body: THEO });
  responses.set("GET /api/messages/threads", { body: { threads: [], nextCursor: null, unread: 0, change: 0 } });
  const sent = { thread: THREAD, message: MESSAGE };
  responses.set("POST /api/messages/threads", UNVERIFIED);
  const resendVerification = vi.fn(() => Promise.resolve());
  const checkVerification = vi.fn(() => Promise.resolve(true));
  const { router } = renderApp("/messages/new?to=profile:theo-barnes", NEW, { resendVerification, checkVerification });
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Message Theo" }), "Do you teach beginners?");
  await user.click(screen.getByRole("button", { name: "Send" }));
  const sheet = await screen.findByRole("dialog", SHEET);
  expect(sheet.textContent).toContain("We sent a link to ada@example.com.");
  expect(document.body.textContent).not.toContain("Access denied");
  await user.click(screen.getByRole("button", { name: "Resend email" }));
  expect(resendVerification).toHaveBeenCalledOnce();
  responses.set("POST /api/messages/threads", { status: 201, body: sent });
  await user.click(screen.getByRole("button", { name: "I've verified my email" }));
  await waitFor(() => expect(screen.queryByRole("dialog", SHEET)).toBeNull());
  expect(screen.getByText("Do you teach beginners?")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/messages/t1"));
  const attempts = calls.filter(({ route }) => route === "POST /api/messages/threads");
  expect(attempts).toHaveLength(2);
  expect(new Set(attempts.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
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

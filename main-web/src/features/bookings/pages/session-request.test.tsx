import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later } from "./session-fixtures";

const { responses, calls } = apiServer();
const BOOKING = bookingOf();
const serve = (changes: object = {}) => responses.set("GET /api/bookings/b1", { body: { ...BOOKING, ...changes } });

it("books a request at the time that the guru suggests", async () => {
  const answerUntil = later(24);
  const proposal = { startsAt: later(96), answerUntil, reason: "My oven broke." };
  serve({ status: "requested", expiresAt: answerUntil, proposal });
  renderApp("/sessions/b1", ADA);
  await screen.findByRole("heading", { level: 1, name: "Knife skills" });
  const card = within(screen.getByRole("region", { name: "Chef Guru suggests another time" }));
  expect(card.getByText(/If you don't, your request expires\.$/)).toBeTruthy();
  expect(screen.queryByText(/has until .* to answer/)).toBeNull();
  const user = userEvent.setup();
  await user.click(card.getByRole("button", { name: "Withdraw request" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Withdraw this request?" }));
  await user.click(dialog.getByRole("button", { name: "Keep request" }));
  responses.set("POST /api/bookings/b1/answers", () => {
    serve({ startsAt: proposal.startsAt, endsAt: later(97) });
    return { body: { ...BOOKING, startsAt: proposal.startsAt, endsAt: later(97) } };
  });
  await user.click(card.getByRole("button", { name: "Accept the new time" }));
  expect(await screen.findByText(/^You're booked for /)).toBeTruthy();
  const sent = calls.filter(({ route }) => route.startsWith("POST")).map(({ body }) => body);
  expect(sent).toEqual([{ accept: true, startsAt: proposal.startsAt, reason: "", wholeSeries: false }]);
});

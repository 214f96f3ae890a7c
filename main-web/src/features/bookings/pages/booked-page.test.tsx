import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { bookingOf } from "./session-fixtures";

const { responses } = apiServer();

it("shows the session of a link and cancels it without an account", async () => {
  responses.set("GET /api/booked/abc", { body: bookingOf() });
  responses.set("POST /api/booked/abc/cancellation", { status: 409, body: { code: "x", message: "Terms changed." } });
  renderApp("/booked/abc");
  expect(await screen.findByRole("heading", { level: 1, name: "Knife skills" })).toBeTruthy();
  expect(screen.getByText("12 Elm Street")).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Cancel session" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Cancel session" }));
  expect(await dialog.findByText("Terms changed.")).toBeTruthy();
  const canceled = bookingOf({ status: "canceled", endedBy: "person" });
  responses.set("POST /api/booked/abc/cancellation", { body: canceled });
  responses.set("GET /api/booked/abc", { body: canceled });
  await user.click(dialog.getByRole("button", { name: "Cancel session" }));
  expect(await screen.findByText("You canceled this session.")).toBeTruthy();
});

it("says so when the link is unknown", async () => {
  responses.set("GET /api/booked/abc", { status: 404, body: { code: "not_found", message: "Not found." } });
  renderApp("/booked/abc");
  expect(await screen.findByRole("heading", { level: 1, name: "Link not found" })).toBeTruthy();
});

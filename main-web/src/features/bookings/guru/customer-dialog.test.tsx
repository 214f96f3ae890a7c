import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const POST = "POST /api/guru/bookings";
const bodies = () => calls.filter((call) => call.route === POST).map(({ body }) => body as Record<string, unknown>);

beforeEach(() => {
  const guru = { label: "ada", status: "active", address: "http://ada.test", newLeads: 0, suspension: null };
  responses.set("GET /api/guru", { body: { guru } });
  responses.set("GET /api/guru/bookings?when=requests", { body: { bookings: [], nextCursor: null, requests: 0 } });
  responses.set("GET /api/guru/bookings/week", {
    body: {
      zone: "America/Denver",
      from: "2099-11-30",
      sessions: [],
      busy: [],
      hours: [],
      pausedUntil: null,
      more: false,
    },
  });
  responses.set("GET /api/guru/calendar", { body: { zone: "America/Denver" } });
  responses.set("GET /api/guru/services/s1/booking", { body: { questions: [QUESTION] } });
  responses.set("GET /api/guru/services", {
    body: { services: [{ id: "s1", name: "Lesson", durationMinutes: 60 }], revision: 1, deleted: null },
  });
});

const QUESTION = { label: "Your level?", kind: "short", required: true, choices: [] };

async function open() {
  renderApp("/guru/calendar", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Book for a customer" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(await dialog.findByLabelText(/^Date/), "2099-12-01");
  await user.type(dialog.getByLabelText(/^Customer's name/), "Wanda");
  return { user, dialog };
}

it("books after the guru has confirmed what is unusual", async () => {
  const message = "This is outside the times at which you take bookings.";
  responses.set(POST, {
    status: 409,
    body: { code: "needs_confirmation", message: "Please check this.", fields: { outside_hours: message } },
  });
  const { user, dialog } = await open();
  await user.click(dialog.getByRole("button", { name: "Book" }));
  expect(await dialog.findByText(message)).toBeTruthy();
  responses.set(POST, { status: 201, body: {} });
  await user.click(dialog.getByRole("button", { name: "Book anyway" }));
  expect(await screen.findByText("Booked for Wanda.")).toBeTruthy();
  expect(bodies().map(({ startsAt, confirmed }) => [startsAt, confirmed])).toEqual([
    ["2099-12-01T17:00:00.000Z", []],
    ["2099-12-01T17:00:00.000Z", ["outside_hours"]],
  ]);
});

it("keeps what was typed and asks for an address where it is needed", async () => {
  responses.set(POST, {
    status: 422,
    body: { code: "validation_failed", message: "Check.", fields: { address: "Enter the address." } },
  });
  const { user, dialog } = await open();
  await user.click(dialog.getByRole("button", { name: "Book" }));
  expect(await dialog.findByText("Enter the address.")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>(/^Customer's name/).value).toBe("Wanda");
  responses.set(POST, { status: 409, body: { code: "time_taken", message: "You are busy then." } });
  await user.type(dialog.getByLabelText(/^Where you meet/), "9 Oak Street");
  await user.click(dialog.getByRole("button", { name: "Book" }));
  expect(await dialog.findByText("You are busy then.")).toBeTruthy();
  expect(bodies().at(-1)?.address).toBe("9 Oak Street");
});

it("sends what the guru knows of the answers, and may leave them open", async () => {
  const fields = { "answers.0": "Please answer in one line." };
  responses.set(POST, { status: 422, body: { code: "validation_failed", message: "Check.", fields } });
  const { user, dialog } = await open();
  const field = await dialog.findByLabelText(/^Your level\?\s*Optional/);
  await user.type(field, "New");
  await user.click(dialog.getByRole("button", { name: "Book" }));
  expect(await dialog.findByText("Please answer in one line.")).toBeTruthy();
  await user.clear(field);
  responses.set(POST, { status: 201, body: {} });
  await user.click(dialog.getByRole("button", { name: "Book" }));
  expect(await screen.findByText("Booked for Wanda.")).toBeTruthy();
  expect(bodies().map(({ answers }) => answers)).toEqual([[{ question: "Your level?", answer: "New" }], []]);
});

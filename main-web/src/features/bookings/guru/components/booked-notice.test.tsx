import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses } = apiServer();
const SERVICE = {
  id: "s1",
  name: "Lesson",
  description: "",
  priceCents: 5000,
  durationMinutes: 60,
  durationLabel: "60 min",
  popular: false,
  features: [],
};
const BOOKED = {
  id: "b1",
  serviceId: "s1",
  personName: "Nora Newcomer",
  serviceName: "Lesson",
  startsAt: "2099-12-01T16:00:00Z",
  endsAt: "2099-12-01T17:00:00Z",
  zone: "America/Denver",
  waiverDue: false,
};
const QUERY = "GET /api/guru/bookings/affected?serviceId=s1&minutes=45";

beforeEach(() => {
  const guru = { label: "ada", status: "active", address: "http://ada.test", newLeads: 0, suspension: null };
  responses.set("GET /api/guru", { body: { guru } });
  responses.set("GET /api/guru/services", { body: { services: [SERVICE], revision: 1, deleted: null } });
});

async function shorten() {
  renderApp("/guru/services", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: /^Edit/ }));
  const dialog = within(await screen.findByRole("dialog"));
  const minutes = await dialog.findByLabelText("Minutes");
  await user.clear(minutes);
  await user.type(minutes, "45");
  return dialog;
}

it("names the sessions that keep their length before it is saved", async () => {
  responses.set("GET /api/guru/bookings/affected", { body: { bookings: [], more: false } });
  responses.set(QUERY, { body: { bookings: [BOOKED], more: false } });
  const dialog = await shorten();
  expect(await dialog.findByText(/^These sessions stay as long as they were booked:/)).toBeTruthy();
  expect(dialog.getByRole("link", { name: /^Lesson with Nora Newcomer/ })).toBeTruthy();
});

it("says so when the affected sessions can't be loaded", async () => {
  responses.set("GET /api/guru/bookings/affected", { status: 409, body: { code: "x", message: "No." } });
  responses.set(QUERY, { status: 409, body: { code: "x", message: "No." } });
  const dialog = await shorten();
  expect(await dialog.findByText("We couldn't load the booked sessions that this affects.")).toBeTruthy();
});

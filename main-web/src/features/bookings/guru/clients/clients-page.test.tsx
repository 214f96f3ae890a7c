import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const CLIENT = {
  id: "c1",
  name: "Nora Newcomer",
  isCustomer: false,
  done: 3,
  upcoming: 0,
  lastAt: "2025-01-10T18:00:00Z",
  nextAt: null,
  isUnseen: true,
  services: ["Bread", "Cakes", "Pasta", "Soup"],
  zone: "America/Denver",
};
const NOTE = { body: "Likes rye.", digest: "d1" };
const DETAILS = { ...CLIENT, note: NOTE, latestBookingId: "b1", email: "" };
const BOOKING = {
  id: "b1",
  status: "completed",
  serviceName: "Bread",
  startsAt: "2025-01-10T18:00:00Z",
  endsAt: "2025-01-10T19:00:00Z",
  zone: "America/Denver",
  party: 2,
  priceCents: 9000,
  currency: "USD",
  packageName: "",
  answers: [{ id: "q1", question: "Any allergies?", answer: "Nuts" }],
};
const notes = () => calls.filter((call) => call.route === "PUT /api/guru/clients/c1/note").map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/clients", { body: { clients: [CLIENT], nextCursor: null, total: 1 } });
  responses.set("GET /api/guru/clients/c1", { body: DETAILS });
  responses.set("GET /api/guru/clients/c1/bookings", { body: { bookings: [BOOKING], nextCursor: null } });
});

it("lists clients with their sessions and filters them", async () => {
  renderApp("/guru/clients", ADA);
  const row = within(await screen.findByRole("list", { name: "Clients" }));
  expect(row.getByRole("link", { name: "Nora Newcomer" })).toBeTruthy();
  expect(row.getByText("3 sessions done")).toBeTruthy();
  expect(row.getByText("Last: Fri, Jan 10, 2025")).toBeTruthy();
  expect(row.getByText("Bread, Cakes, Pasta and 1 more")).toBeTruthy();
  expect(row.getByText("Not seen for 60 days")).toBeTruthy();
  responses.set("GET /api/guru/clients", { body: { clients: [], nextCursor: null, total: 1 } });
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Not seen for 60 days" }));
  expect(await screen.findByText("No clients match")).toBeTruthy();
  expect(calls.some(({ route }) => route.includes("/clients?show=unseen"))).toBe(true);
  expect(screen.getByRole("button", { name: "Not seen for 60 days", pressed: true })).toBeTruthy();
});

it("says what to do without clients", async () => {
  responses.set("GET /api/guru/clients", { body: { clients: [], nextCursor: null, total: 0 } });
  renderApp("/guru/clients", ADA);
  expect(await screen.findByText("No clients yet")).toBeTruthy();
  expect(screen.queryByRole("searchbox", { name: "Search clients" })).toBeNull();
  expect(screen.getByRole("button", { name: "Book for a customer" })).toBeTruthy();
});

it("shows a client's sessions with their answers", async () => {
  renderApp("/guru/clients/c1", ADA);
  expect(await screen.findByRole("heading", { level: 1, name: "Nora Newcomer" })).toBeTruthy();
  const sessions = within(await screen.findByRole("list", { name: "Sessions" }));
  expect(sessions.getByText("$90")).toBeTruthy();
  expect(sessions.getByText("Completed")).toBeTruthy();
  expect(sessions.getByText("Nuts")).toBeTruthy();
  expect(sessions.getByRole("button", { name: /^Details of Bread, / })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Message Nora" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Book for this client" })).toBeNull();
});

it("saves a note, and asks before one is lost", async () => {
  responses.set("PUT /api/guru/clients/c1/note", { body: { body: "Likes rye. Mornings.", digest: "d2" } });
  renderApp("/guru/clients/c1", ADA);
  const user = userEvent.setup();
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Note about Nora Newcomer" });
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save note" }).disabled).toBe(true);
  await user.type(field, " Mornings.");
  await user.click(screen.getByRole("link", { name: "Clients", current: false }));
  await user.click(await screen.findByRole("button", { name: "Stay on this page" }));
  expect(field.value).toBe("Likes rye. Mornings.");
  await user.click(screen.getByRole("button", { name: "Save note" }));
  expect(await screen.findByText("Saved.")).toBeTruthy();
  expect(notes()).toEqual([{ body: "Likes rye. Mornings.", digest: "d1" }]);
  expect(field.value).toBe("Likes rye. Mornings.");
});

it("keeps the typed note beside one that another tab saved", async () => {
  responses.set("PUT /api/guru/clients/c1/note", {
    status: 409,
    body: { code: "note_changed", message: "You changed this note somewhere else." },
  });
  renderApp("/guru/clients/c1", ADA);
  const user = userEvent.setup();
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Note about Nora Newcomer" });
  await user.type(field, " Mornings.");
  const other = { body: "Allergic to nuts.", digest: "d9" };
  responses.set("GET /api/guru/clients/c1", { body: { ...DETAILS, note: other } });
  await user.click(screen.getByRole("button", { name: "Save note" }));
  expect(await screen.findByText("Allergic to nuts.")).toBeTruthy();
  expect(field.value).toBe("Likes rye. Mornings.");
  responses.set("PUT /api/guru/clients/c1/note", { body: { body: "Likes rye. Mornings.", digest: "d10" } });
  await user.click(screen.getByRole("button", { name: "Replace the saved note" }));
  expect(await screen.findByText("Saved.")).toBeTruthy();
  expect(notes().at(-1)).toEqual({ body: "Likes rye. Mornings.", digest: "d9" });
});

it("books again for a customer without an account", async () => {
  const customer = { ...DETAILS, name: "Wanda Walk-In", isCustomer: true, email: "wanda@example.com" };
  responses.set("GET /api/guru/clients/c1", { body: customer });
  responses.set("GET /api/guru/services", {
    body: { shown: true, services: [{ id: "s1", name: "Lesson", durationMinutes: 60 }] },
  });
  responses.set("GET /api/guru/calendar", { body: { zone: "America/Denver" } });
  responses.set("GET /api/guru/package-grants", { body: { grants: [], nextCursor: null } });
  responses.set("POST /api/guru/bookings", { status: 201, body: {} });
  renderApp("/guru/clients/c1", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Book for this client" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole<HTMLInputElement>("textbox", { name: "Customer's name" }).value).toBe("Wanda Walk-In");
  await user.type(dialog.getByLabelText("Date"), "2099-12-01");
  await user.click(await dialog.findByRole("button", { name: "Book" }));
  expect(await screen.findByText("Booked for Wanda Walk-In.")).toBeTruthy();
  const sent = calls.find(({ route }) => route === "POST /api/guru/bookings")?.body;
  expect(sent).toMatchObject({ clientId: "c1", email: "wanda@example.com" });
});

it("says that a client is gone", async () => {
  responses.set("GET /api/guru/clients/c1", { status: 404, body: { code: "not_found", message: "Not found" } });
  renderApp("/guru/clients/c1", ADA);
  expect(await screen.findByText("We couldn't find this client")).toBeTruthy();
});

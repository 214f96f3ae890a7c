import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, testLoading } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import { parsePrice } from "../components/service-dialog";
import type { Service } from "../lib/types";

const server = apiServer();
const { responses, calls } = server;

const LESSON: Service = {
  id: "s1",
  name: "Lesson",
  description: "At your piano.",
  priceCents: 4500,
  currency: "USD",
  durationMinutes: 60,
  durationLabel: "",
  popular: true,
  features: [],
  openForBooking: false,
  overLimit: false,
};
const CONCERT: Service = { ...LESSON, id: "s2", name: "Concert", popular: false };
const SERVICES = { shown: true, services: [LESSON, CONCERT] };

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/services", { body: SERVICES });
});

testLoading(server, {
  at: "/guru/services",
  route: "GET /api/guru/services",
  body: SERVICES,
  errorTitle: "We couldn't load your services",
  text: "Lesson",
});

it("shows the empty state", async () => {
  responses.set("GET /api/guru/services", { body: { shown: true, services: [] } });
  renderApp("/guru/services", ADA);
  expect(await screen.findByText("No services yet")).toBeTruthy();
});

it("says that an approval is missing before visitors see them", async () => {
  responses.set("GET /api/guru/services", { body: { shown: false, services: [LESSON] } });
  renderApp("/guru/services", ADA);
  expect(await screen.findByText(/^Visitors see your services and free times once/)).toBeTruthy();
});

it("adds a service with a valid price, and keeps the input on errors", async () => {
  responses.set("POST /api/guru/services", { status: 503 });
  renderApp("/guru/services", ADA);
  const user = userEvent.setup();
  await screen.findByRole("list", { name: "Services" });
  await user.click(screen.getByRole("button", { name: "Add a service" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add a service" }));
  await user.type(dialog.getByLabelText("Name"), "Tuning");
  await user.click(dialog.getByRole("button", { name: "Save service" }));
  expect(await dialog.findByText(/^Enter a price/)).toBeTruthy();
  await user.type(dialog.getByLabelText("Price ($)"), "19.50");
  await user.click(dialog.getByRole("button", { name: "Save service" }));
  expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>("Name").value).toBe("Tuning");
  const tuning = { ...LESSON, id: "s3", name: "Tuning", priceCents: 1950 };
  responses.set("POST /api/guru/services", {
    status: 201,
    body: { shown: true, services: [LESSON, CONCERT, tuning] },
  });
  await user.click(dialog.getByRole("button", { name: "Save service" }));
  expect(await screen.findByRole("heading", { name: "Tuning" })).toBeTruthy();
  expect(bodies("POST /api/guru/services").at(-1)).toMatchObject({
    name: "Tuning",
    priceCents: 1950,
    durationMinutes: 60,
  });
});

it("reorders services and announces their place", async () => {
  responses.set("PUT /api/guru/service-order", { body: { shown: true, services: [CONCERT, LESSON] } });
  renderApp("/guru/services", ADA);
  await userEvent.setup().click(await screen.findByRole("button", { name: "Move Lesson down" }));
  expect(await screen.findByText("Lesson is now 2 of 2.")).toBeTruthy();
  expect(bodies("PUT /api/guru/service-order")).toEqual([{ ids: ["s2", "s1"] }]);
  const names = within(screen.getByRole("list", { name: "Services" })).getAllByRole("heading");
  expect(names.map((name) => name.textContent)).toEqual(["Concert", "Lesson"]);
});

it.each([
  ["75", 7500],
  ["$19.50", 1950],
  [" 0 ", 0],
  ["19.999", null],
  ["-1", null],
  ["1e3", null],
  ["10001", null],
  ["", null],
])("parses %j dollars as %j cents", (text, cents) => expect(parsePrice(text)).toBe(cents));

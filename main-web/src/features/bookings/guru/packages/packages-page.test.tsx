import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const PACKAGE = {
  id: "p1",
  serviceId: "s1",
  serviceName: "Lesson",
  name: "Five lessons",
  sessions: 5,
  days: 90,
  openGrants: 1,
};
const GRANT = {
  id: "g1",
  guruLabel: "ada",
  guruName: "Ada",
  serviceId: "s1",
  serviceName: "Lesson",
  name: "Five lessons",
  granted: 5,
  left: 3,
  used: 2,
  takenBack: 0,
  lastDay: "2027-03-01",
  isOpen: true,
  personName: "Wanda",
  isCustomer: true,
};
const DETAILS = {
  ...GRANT,
  events: [{ at: "2026-12-01T10:00:00Z", event: "granted", sessions: 5, lastDay: "2027-03-01", reason: "" }],
  uses: [
    { bookingId: "b1", startsAt: "2026-12-10T18:00:00Z", zone: "America/Denver", status: "canceled", sessions: 0 },
  ],
};
const sent = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/services", {
    body: { shown: true, services: [{ id: "s1", name: "Lesson", durationMinutes: 60 }] },
  });
  responses.set("GET /api/guru/packages", { body: { packages: [PACKAGE] } });
  responses.set("GET /api/guru/package-grants", { body: { grants: [GRANT], nextCursor: null } });
  responses.set("GET /api/guru/package-grants/g1", { body: DETAILS });
});

it("defines a package after saying what is missing", async () => {
  responses.set("GET /api/guru/packages", { body: { packages: [] } });
  responses.set("POST /api/guru/packages", { status: 201, body: PACKAGE });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add a package" }));
  const dialog = within(await screen.findByRole("dialog"));
  const sessions = dialog.getByRole("textbox", { name: "Sessions" });
  await user.clear(sessions);
  await user.type(sessions, "1");
  await user.click(dialog.getByRole("button", { name: "Save package" }));
  expect(dialog.getByText("Enter a name")).toBeTruthy();
  expect(dialog.getByText("Enter 2 to 52 sessions")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: /^Name/ }), "Four lessons");
  await user.clear(sessions);
  await user.type(sessions, "4");
  await user.click(dialog.getByRole("button", { name: "Save package" }));
  expect(await screen.findByText("Added.")).toBeTruthy();
  expect(sent("POST /api/guru/packages")).toEqual([{ serviceId: "s1", name: "Four lessons", sessions: 4, days: 90 }]);
});

it("gives a package to someone who has booked", async () => {
  const person = {
    bookingId: "b1",
    name: "Wanda",
    isCustomer: true,
    serviceName: "Lesson",
    startsAt: "2026-12-01T18:00:00Z",
    zone: "America/Denver",
  };
  responses.set("GET /api/guru/package-people", { body: { people: [person], more: false } });
  responses.set("POST /api/guru/package-grants", { status: 201, body: DETAILS });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Give Five lessons" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Give package" }));
  expect(dialog.getByText("Choose a person")).toBeTruthy();
  await user.click(await dialog.findByRole("radio", { name: /^Wanda/ }));
  await user.click(dialog.getByRole("button", { name: "Give package" }));
  expect(await screen.findByText("Given. Tell Wanda about it.")).toBeTruthy();
  expect(sent("POST /api/guru/package-grants")).toEqual([{ packageId: "p1", bookingId: "b1", coversBooking: false }]);
});

it("takes unused sessions back with a reason", async () => {
  responses.set("POST /api/guru/package-grants/g1/withdrawal", {
    status: 409,
    body: { code: "package_gone", message: "This package changed in the meantime. Please reload." },
  });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Details of Five lessons of Wanda" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/session returned$/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Take back sessions" }));
  await user.click(dialog.getByRole("button", { name: "Take back" }));
  expect(dialog.getByText("Enter a reason")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "We agreed.");
  await user.click(dialog.getByRole("button", { name: "Take back" }));
  expect(await dialog.findByText("This package changed in the meantime. Please reload.")).toBeTruthy();
  expect(sent("POST /api/guru/package-grants/g1/withdrawal")).toEqual([{ sessions: 3, left: 3, reason: "We agreed." }]);
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forgetData } from "@/lib/kept-data";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { personOf, rosterOf, sessionOf } from "../lib/fixtures";
import type { CheckInPayload } from "../lib/types";

const { responses, calls } = apiServer();
const PUT = "PUT /api/guru/check-ins/b1";
const NORA = personOf();
const BEN = personOf({ bookingId: "b2", name: "Ben Baker", code: "00000001", party: 2, participants: ["Ben", "Lou"] });

const sent = () => calls.filter(({ route }) => route === PUT).map(({ body }) => body as CheckInPayload);

beforeEach(() => {
  localStorage.setItem("porchlight.device", "Front door");
  responses.set("GET /api/guru/check-ins", { body: rosterOf(sessionOf([NORA, BEN])) });
  responses.set(PUT, ({ body }) => {
    const { at, device } = body as CheckInPayload;
    const person = { ...NORA, checkedInAt: at, checkedInBy: device };
    responses.set("GET /api/guru/check-ins", { body: rosterOf(sessionOf([person, BEN])) });
    return { body: person };
  });
});

afterEach(async () => {
  localStorage.removeItem("porchlight.device");
  await forgetData("");
});

it("checks in a name that is tapped, and undoes it", async () => {
  responses.set("DELETE /api/guru/check-ins/b1", { body: NORA });
  renderApp("/guru/check-in", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Check in Nora Newcomer" }));
  expect(await screen.findByText("Nora Newcomer is checked in.")).toBeTruthy();
  expect(screen.getByText(/1 of 2 here/)).toBeTruthy();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({ device: "Front door", pass: "", waiverDueSeen: false });
  expect(await screen.findByText("Everything is saved.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo the check-in of Nora Newcomer" }));
  expect(await screen.findByText("Nora Newcomer is no longer checked in.")).toBeTruthy();
  await waitFor(() => expect(calls.some(({ route }) => route.startsWith("DELETE "))).toBe(true));
  expect(await screen.findByRole("button", { name: "Check in Nora Newcomer" })).toBeTruthy();
});

it("checks in by a code as people type it", async () => {
  renderApp("/guru/check-in", ADA);
  const user = userEvent.setup();
  const field = await screen.findByLabelText<HTMLInputElement>("Name or code");
  await user.type(field, "kx4p-7m2q{Enter}");
  expect(await screen.findByText("Nora Newcomer is checked in.")).toBeTruthy();
  expect(field.value).toBe("");
  await user.type(field, "ZZZZZZZZ{Enter}");
  expect(await screen.findByText("No one on your list has this code.")).toBeTruthy();
  expect(field.value).toBe("ZZZZZZZZ");
});

it("finds people by name", async () => {
  renderApp("/guru/check-in", ADA);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("Name or code"), "lou");
  expect(screen.queryByText("Nora Newcomer")).toBeNull();
  expect(screen.getByRole("heading", { level: 3, name: "Ben Baker" })).toBeTruthy();
});

it("keeps a check-in without a connection and sends it later", async () => {
  const accept = responses.get(PUT);
  responses.set(PUT, { status: 503 });
  renderApp("/guru/check-in", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Check in Nora Newcomer" }));
  expect(await screen.findByText("1 check-in waits for a connection.")).toBeTruthy();
  expect(screen.getByText(/^since .*, Front door$/)).toBeTruthy();
  if (accept) responses.set(PUT, accept);
  window.dispatchEvent(new Event("online"));
  expect(await screen.findByText("Everything is saved.")).toBeTruthy();
  const [first, second] = sent();
  expect(second).toEqual(first);
});

it("says which device was faster, and shows its check-in", async () => {
  const message = "Already checked in at 9:02 AM MST by Back door.";
  responses.set(PUT, () => {
    const person = { ...NORA, checkedInAt: "2027-03-10T16:02:00Z", checkedInBy: "Back door" };
    responses.set("GET /api/guru/check-ins", { body: rosterOf(sessionOf([person, BEN])) });
    return { status: 409, body: { code: "already_checked_in", message } };
  });
  renderApp("/guru/check-in", ADA);
  await userEvent.setup().click(await screen.findByRole("button", { name: "Check in Nora Newcomer" }));
  expect((await screen.findByRole("alert")).textContent).toBe(`Nora Newcomer: ${message}`);
  expect(await screen.findByText(/Back door$/)).toBeTruthy();
});

it("asks before it checks someone in whose waiver is due", async () => {
  responses.set("GET /api/guru/check-ins", { body: rosterOf(sessionOf([personOf({ waiverDue: true })])) });
  renderApp("/guru/check-in", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Check in Nora Newcomer" }));
  expect(await screen.findByText(/^Waiver due: not everyone/)).toBeTruthy();
  expect(sent()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Check in anyway" }));
  await waitFor(() => expect(sent()[0]).toMatchObject({ waiverDueSeen: true }));
});

it("works with the list that was kept", async () => {
  const { queries } = renderApp("/guru/check-in", ADA);
  await screen.findByRole("button", { name: "Check in Nora Newcomer" });
  responses.set("GET /api/guru/check-ins", { status: 503 });
  await queries.resetQueries();
  expect(await screen.findByText("No connection. Check-ins are kept and sent later.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Check in Nora Newcomer" })).toBeTruthy();
});

it("says so when no one comes", async () => {
  responses.set("GET /api/guru/check-ins", { body: rosterOf() });
  renderApp("/guru/check-in", ADA);
  expect(await screen.findByText("No sessions today")).toBeTruthy();
});

it("offers a retry when the list can't be loaded", async () => {
  responses.set("GET /api/guru/check-ins", { status: 503 });
  renderApp("/guru/check-in", ADA);
  expect(await screen.findByText("We couldn't load your list")).toBeTruthy();
});

it("invites users without a site", async () => {
  responses.set("GET /api/guru/check-ins", { status: 404 });
  renderApp("/guru/check-in", ADA);
  expect(await screen.findByText("You don't have a guru site yet")).toBeTruthy();
});

it("says why there is no camera", async () => {
  renderApp("/guru/check-in", ADA);
  await userEvent.setup().click(await screen.findByRole("button", { name: "Scan passes" }));
  const camera = within(await screen.findByRole("region", { name: "Camera" }));
  expect((await camera.findByRole("alert")).textContent).toMatch(/^We found no camera on this device/);
});

it("keeps the name of the device", async () => {
  renderApp("/guru/check-in", ADA);
  const user = userEvent.setup();
  const field = await screen.findByLabelText("Name of this device");
  await user.clear(field);
  await user.type(field, "Back door");
  await user.click(screen.getByRole("button", { name: "Save name" }));
  expect(localStorage.getItem("porchlight.device")).toBe("Back door");
});

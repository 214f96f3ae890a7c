import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { forgetData } from "@/lib/kept-data";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf } from "../../pages/session-fixtures";
import { passOf } from "../lib/fixtures";

const { responses } = apiServer();

afterEach(() => forgetData(""));

it("shows code, person, time and place", async () => {
  responses.set("GET /api/bookings/b1/pass", { body: passOf({ party: 2, participants: ["Ada Lovelace", "Bo"] }) });
  renderApp("/sessions/b1/pass", ADA);
  expect(await screen.findByRole("heading", { level: 1, name: "Knife skills" })).toBeTruthy();
  expect(screen.getByRole("img", { name: "QR code of your pass" })).toBeTruthy();
  expect(screen.getByText("PJ11 BJK8")).toBeTruthy();
  expect(screen.getByText("12 Elm Street")).toBeTruthy();
  expect(screen.getByText("2 spots, with Bo")).toBeTruthy();
  expect(screen.getByText(/ M[SD]T/)).toBeTruthy();
});

it("opens without a connection once it was opened", async () => {
  responses.set("GET /api/bookings/b1/pass", { body: passOf() });
  renderApp("/sessions/b1/pass", ADA);
  await screen.findByRole("img", { name: "QR code of your pass" });
  cleanup();
  responses.set("GET /api/bookings/b1/pass", { status: 503 });
  renderApp("/sessions/b1/pass", ADA);
  expect(await screen.findByText(/^We could not load your pass again, so this is the one from /)).toBeTruthy();
  expect(screen.getByText("PJ11 BJK8")).toBeTruthy();
  expect(screen.getByText("Works without a connection")).toBeTruthy();
});

it("says that a canceled session has no pass, and forgets it", async () => {
  responses.set("GET /api/bookings/b1/pass", { body: passOf() });
  const { queries } = renderApp("/sessions/b1/pass", ADA);
  await screen.findByText("PJ11 BJK8");
  const message = "This session was canceled, so it has no pass.";
  responses.set("GET /api/bookings/b1/pass", { status: 409, body: { code: "no_pass", message } });
  await queries.invalidateQueries();
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryByText("PJ11 BJK8")).toBeNull();
  responses.set("GET /api/bookings/b1/pass", { status: 503 });
  await queries.invalidateQueries();
  expect(screen.queryByText("PJ11 BJK8")).toBeNull();
  cleanup();
  renderApp("/sessions/b1/pass", ADA);
  expect(await screen.findByText("We couldn't load your pass")).toBeTruthy();
});

it("offers a retry when the pass can't be loaded", async () => {
  responses.set("GET /api/bookings/b1/pass", { status: 503 });
  renderApp("/sessions/b1/pass", ADA);
  expect(await screen.findByText("We couldn't load your pass")).toBeTruthy();
  responses.set("GET /api/bookings/b1/pass", { body: passOf() });
  screen.getByRole("button", { name: "Try again" }).click();
  expect(await screen.findByText("PJ11 BJK8")).toBeTruthy();
});

it("shows the pass of a link without an account", async () => {
  responses.set("GET /api/booked/abc/pass", { body: passOf() });
  renderApp("/booked/abc/pass");
  expect(await screen.findByText("PJ11 BJK8")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Session" }).getAttribute("href")).toBe("/booked/abc");
});

it("is linked from a booked session only", async () => {
  responses.set("GET /api/bookings/b1", { body: bookingOf() });
  const { queries } = renderApp("/sessions/b1", ADA);
  const link = await screen.findByRole("link", { name: "Show your pass" });
  expect(link.getAttribute("href")).toBe("/sessions/b1/pass");
  responses.set("GET /api/bookings/b1", { body: bookingOf({ status: "canceled", endedBy: "guru" }) });
  await queries.invalidateQueries();
  await waitFor(() => expect(screen.queryByRole("link", { name: "Show your pass" })).toBeNull());
});

import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Booking, Hold } from "../lib/types";
import { BOOKING, HOLD, NO_TIMES, TOKEN } from "./book-page-fixtures";

const { responses, calls } = apiServer();

const SLOTS = "GET /api/gurus/cooking/services/s-1/slots";
// 9:00 AM in Denver, where the clocks go forward on March 14, 2027.
const SECOND = "2027-03-09T16:00:00Z";
const THIRD = "2027-03-16T15:00:00Z";
const THIRD_LATER = "2027-03-16T17:00:00Z";

const hold = (changes: Partial<Hold> = {}) =>
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, party: 1, priceCents: 7500, ...changes } });
const free = (...starts: string[]) =>
  responses.set(SLOTS, {
    body: {
      ...NO_TIMES,
      days: 62,
      lastDay: "2027-03-20",
      starts: starts.map((startsAt) => ({ startsAt, seats: 1 })),
    },
  });
const series = (...starts: string[]): Booking[] =>
  starts.map((startsAt, index) => ({ ...BOOKING, id: `b-${index + 1}`, seriesId: "b-1", startsAt }));
const select = (name: string) => screen.findByLabelText<HTMLSelectElement>(name);
const button = () => screen.findByRole<HTMLButtonElement>("button", { name: /^(Book|Ask) / });

async function repeatWeekly(sessions: number) {
  fireEvent.change(await select("How often"), { target: { value: "1" } });
  fireEvent.change(await select("How many sessions"), { target: { value: String(sessions) } });
}

beforeEach(() => {
  vi.setSystemTime("2026-11-20T16:00:00Z"); // in another year than the times, which are shown with theirs
  sessionStorage.clear();
  hold();
  free(SECOND, THIRD, THIRD_LATER);
});

it("books the same wall time each week and lists all sessions", async () => {
  const bookings = series(HOLD.startsAt, SECOND, THIRD);
  responses.set("POST /api/bookings/series", { status: 201, body: { id: "b-1", bookings, guru: HOLD.guru } });
  responses.set("GET /api/bookings/b-1", { body: bookings[0] });
  responses.set("GET /api/bookings/series/b-1", { body: { id: "b-1", bookings, guru: HOLD.guru } });
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(3);
  expect(await screen.findByText("3 sessions, $225 – pay at each session")).toBeTruthy();
  expect((await button()).textContent).toBe("Book 3 sessions for $225 – pay at each session");
  fireEvent.click(await button());
  expect(await screen.findByRole("heading", { name: "You're booked!" })).toBe(document.activeElement);
  const sent = calls.find(({ route }) => route === "POST /api/bookings/series");
  expect(sent?.body).toMatchObject({ hold: TOKEN, starts: [SECOND, THIRD], policyDigest: "digest-1" });
  expect(sent?.headers["idempotency-key"]).toBeTruthy();
  const list = await screen.findByRole("list", { name: "Sessions" });
  expect(within(list).getAllByRole("link")).toHaveLength(3);
});

it("leaves out a taken time until another one is chosen", async () => {
  free(SECOND, THIRD_LATER);
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(3);
  expect(await screen.findByText(/One date is taken at 9:00 AM\./)).toBeTruthy();
  expect((await button()).textContent).toBe("Book 2 sessions for $150 – pay at each session");
  fireEvent.change(await select("Time on Tue, Mar 16, 2027"), { target: { value: THIRD_LATER } });
  expect(screen.queryByText(/One date is taken/)).toBeNull();
  expect((await button()).textContent).toContain("Book 3 sessions");
  fireEvent.change(await select("Time on Tue, Mar 9, 2027"), { target: { value: "" } });
  expect((await button()).textContent).toContain("Book 2 sessions");
});

it("books one session when all others are left out", async () => {
  free();
  responses.set("POST /api/bookings", { status: 201, body: BOOKING });
  responses.set("GET /api/bookings/b-1", { body: BOOKING });
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(2);
  expect(await screen.findByText("Only the first session is left.")).toBeTruthy();
  fireEvent.click(await button());
  expect(await screen.findByRole("heading", { name: "You're booked!" })).toBeTruthy();
});

it("names the times that are gone and books the others", async () => {
  responses.set("POST /api/bookings/series", {
    status: 409,
    body: {
      code: "series_partly_gone",
      message: "Some of these times are no longer free. Please choose others.",
      fields: { [SECOND]: "That time was just taken. Please choose another." },
    },
  });
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(3);
  fireEvent.click(await screen.findByRole("button", { name: /^Book 3 sessions/ }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toMatch(/Tue, Mar 9(, 2027)?, 9:00 AM MST: That time was just taken/);
  await waitFor(async () => expect((await button()).textContent).toContain("Book 2 sessions"));
  expect(await screen.findByText("Taken")).toBeTruthy();
});

it("says which dates are not open yet or after the waiver", async () => {
  hold({ waiver: { ...HOLD.waiver, required: true, level: "high", validUntil: "2027-03-12T00:00:00Z" } });
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(4);
  expect(await screen.findByText("After your waiver")).toBeTruthy();
  expect(screen.getByText("Not open yet")).toBeTruthy();
  expect(screen.getByText(/A waiver for this session is valid for 30 days/)).toBeTruthy();
  expect((await button()).textContent).toContain("Book 2 sessions");
});

it("asks the guru for a series", async () => {
  hold({ approval: "request" });
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(3);
  await waitFor(async () => expect((await button()).textContent).toBe("Ask for 3 sessions"));
});

it("waits for the times and can load them again", async () => {
  responses.set(SLOTS, { status: 503, body: { code: "unavailable", message: "Please try again." } });
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(2);
  const retry = await screen.findByRole("button", { name: "Try again" });
  expect((await button()).disabled).toBe(true);
  free(SECOND);
  fireEvent.click(retry);
  await waitFor(async () => expect((await button()).textContent).toContain("Book 2 sessions"));
});

it("keeps the choices after a reload", async () => {
  renderApp(`/book/${TOKEN}`, ADA);
  await repeatWeekly(3);
  fireEvent.change(await select("Time on Tue, Mar 9, 2027"), { target: { value: "" } });
  cleanup();
  renderApp(`/book/${TOKEN}`, ADA);
  await waitFor(async () => expect((await button()).textContent).toContain("Book 2 sessions"));
  expect((await select("How many sessions")).value).toBe("3");
});

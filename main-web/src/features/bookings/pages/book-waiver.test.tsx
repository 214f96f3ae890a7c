import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Hold } from "../lib/types";
import { HOLD as FREE_HOLD, TOKEN } from "./book-page-fixtures";

const { responses, calls } = apiServer();
const ACCEPT = "POST /api/liability/waiver";
const TEXTS = "GET /api/liability/texts/low?exchangeId=cooking%2Fs-1";
const ACCEPTED = { waiverId: "w-1", acceptedAt: "2027-03-01T12:00:00Z", expiresAt: "2027-05-30T12:00:00Z" };
const TEXT = { level: "low", version: 1, title: "Waiver", body: "# T\n\nRead it.", sha256: "aa", validDays: 90 };
const GURU_TEXT = { guruName: "Chef Guru", version: 3, body: "Tie up long hair.\nClosed shoes.", sha256: "bb" };
const WAIVER: Hold["waiver"] = {
  required: true,
  signed: true,
  level: "low",
  reasons: [],
  category: "culinary",
  validUntil: null,
  outdated: false,
  minors: [],
};
const HOLD: Hold = { ...FREE_HOLD, party: 1, priceCents: 7500, waiver: WAIVER };

beforeEach(() => {
  sessionStorage.clear();
  responses.set(`GET /api/holds/${TOKEN}`, { body: HOLD });
  responses.set("POST /api/liability/risk", {
    body: { rating: "low", level: "low", requiresWaiver: false, requiresContact: false, reasons: [], known: true },
  });
  responses.set(TEXTS, { body: { ...TEXT, guruText: GURU_TEXT } });
});

const acceptButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Accept" });
const ticks = () => screen.getAllByRole<HTMLInputElement>("checkbox").slice(0, 3);

async function openWaiver(): Promise<UserEvent> {
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Read and accept the waiver" }));
  await screen.findByText("Read it.");
  return user;
}

it("shows the guru's text below ours and sends its version", async () => {
  responses.set(ACCEPT, { status: 201, body: ACCEPTED });
  const user = await openWaiver();
  const region = within(screen.getByRole("region", { name: "Waiver text" }));
  expect(region.getByRole("heading", { name: "From Chef Guru" })).toBeTruthy();
  expect(region.getByText(/^Tie up long hair\.\s+Closed shoes\.$/)).toBeTruthy();
  for (const tick of ticks()) await user.click(tick);
  await user.click(acceptButton());
  await screen.findByRole("button", { name: /^Book for/ });
  const [call] = calls.filter(({ route }) => route === ACCEPT);
  expect(call?.body).toMatchObject({ textVersion: 1, guruTextVersion: 3, exchangeId: "cooking/s-1" });
});

it("accepts a waiver without pressing Book", async () => {
  responses.set(ACCEPT, { status: 201, body: ACCEPTED });
  const user = await openWaiver();
  for (const tick of ticks()) await user.click(tick);
  await user.click(acceptButton());
  await screen.findByRole("button", { name: /^Book for/ });
  expect(calls.map(({ route }) => route).filter((route) => route.startsWith("POST /api/bookings"))).toEqual([]);
});

it("shows no error of a refused booking once the waiver is accepted", async () => {
  const accepted = { ...HOLD, waiver: { ...WAIVER, validUntil: "2027-05-30T12:00:00Z" } };
  responses.set(`GET /api/holds/${TOKEN}`, { body: accepted });
  responses.set("POST /api/bookings", {
    status: 409,
    body: { code: "waiver_required", message: "A waiver is needed." },
  });
  responses.set(ACCEPT, { status: 201, body: ACCEPTED });
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  const book = await screen.findByRole("button", { name: /^Book for/ });
  responses.set(`GET /api/holds/${TOKEN}`, { body: HOLD });
  await user.click(book);
  await screen.findByText("A waiver is needed.");
  await user.click(await screen.findByRole("button", { name: "Read and accept the waiver" }));
  await screen.findByText("Read it.");
  responses.set(`GET /api/holds/${TOKEN}`, { body: accepted });
  for (const tick of ticks()) await user.click(tick);
  await user.click(acceptButton());
  await screen.findByText(/^Accepted\. Your waiver is valid until/);
  expect(screen.queryByText("A waiver is needed.")).toBeNull();
});

it("needs the typed name if the guru requires a signature", async () => {
  const user = await openWaiver();
  for (const tick of ticks()) await user.click(tick);
  const name = screen.getByLabelText("Participant's name");
  expect(acceptButton().disabled).toBe(false);
  fireEvent.change(name, { target: { value: " " } });
  expect(acceptButton().disabled).toBe(true);
  expect(screen.getByText("Typing your full name is your signature. Your guru requires it.")).toBeTruthy();
});

it("loads a changed text, unticks the confirmations and keeps what was typed", async () => {
  responses.set(ACCEPT, { status: 409, body: { code: "text_changed", message: "The text changed." } });
  const user = await openWaiver();
  for (const tick of ticks()) await user.click(tick);
  fireEvent.change(screen.getByLabelText("Participant's name"), { target: { value: "Ada B. Lovelace" } });
  responses.set(TEXTS, { body: { ...TEXT, guruText: { ...GURU_TEXT, version: 4, body: "New rules.", sha256: "cc" } } });
  await user.click(acceptButton());
  expect(await screen.findByText("New rules.")).toBeTruthy();
  expect(screen.getByText("The text changed.")).toBeTruthy();
  // The form clears its fields after the render of the new text.
  await waitFor(() => expect(acceptButton().disabled).toBe(true));
  expect(ticks().map(({ checked }) => checked)).toEqual([false, false, false]);
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "Waiver text" }));
  expect(screen.getByLabelText<HTMLInputElement>("Participant's name").value).toBe("Ada B. Lovelace");
  responses.set(ACCEPT, { status: 201, body: ACCEPTED });
  for (const tick of ticks()) await user.click(tick);
  await user.click(acceptButton());
  await screen.findByRole("button", { name: /^Book for/ });
  const [, second] = calls.filter(({ route }) => route === ACCEPT);
  expect(second?.body).toMatchObject({ guruTextVersion: 4, signature: { typedName: "Ada B. Lovelace" } });
});

it("says why a waiver is needed again", async () => {
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, waiver: { ...WAIVER, outdated: true } } });
  renderApp(`/book/${TOKEN}`, ADA);
  expect(await screen.findByText(/^Chef Guru changed what the waiver needs since you accepted it\./)).toBeTruthy();
});

import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Hold } from "../lib/types";
import { BOOKING, HOLD, NO_TIMES, TOKEN } from "./book-page-fixtures";
import { viewerZone } from "@porchlight/shared/format/session-times";

const { responses, calls } = apiServer();

const hold = (changes: Partial<Hold> = {}) =>
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, ...changes } });
const refuse = (status: number, code: string, message: string) =>
  responses.set("POST /api/bookings", { status, body: { code, message } });
const bookButton = () => screen.findByRole<HTMLButtonElement>("button", { name: /^(Book|Ask) for/ });

beforeEach(() => {
  sessionStorage.clear();
  hold();
});

it("sends signed-out visitors to the login page with the kept time", async () => {
  const { router } = renderApp(`/book/${TOKEN}`);
  expect(await screen.findByRole("heading", { name: "Sign in to book" })).toBeTruthy();
  const held = await screen.findByRole("region", { name: "What you're booking" });
  await waitFor(() => expect(held.textContent).toContain("9:00 – 10:00 AM MST"));
  expect(router.state.location.state).toMatchObject({ from: `/book/${TOKEN}` });
});

it("books with who comes, the note and the shown terms", async () => {
  responses.set("POST /api/bookings", { status: 201, body: BOOKING });
  responses.set("GET /api/bookings/b-1", { body: BOOKING });
  const { router } = renderApp(`/book/${TOKEN}`, ADA);
  fireEvent.change(await screen.findByLabelText(/Name of person 2/), { target: { value: " Bo " } });
  fireEvent.change(screen.getByLabelText(/Note for Chef Guru/), { target: { value: "No onions." } });
  fireEvent.click(await bookButton());
  expect(await screen.findByRole("heading", { name: "You're booked!" })).toBe(document.activeElement);
  expect(screen.getByRole("region", { name: "What you're booking" }).textContent).toContain("with Chef Guru");
  expect(screen.getByText("12 Elm Street")).toBeTruthy();
  expect(router.state.location.search).toBe("?booking=b-1");
  const sent = calls.find(({ route }) => route === "POST /api/bookings");
  expect(sent?.body).toEqual({
    hold: TOKEN,
    name: "Ada Lovelace",
    participants: ["Bo"],
    note: "No onions.",
    address: "",
    answers: [],
    policyDigest: "digest-1",
    zone: viewerZone(),
  });
  expect(sent?.headers["idempotency-key"]).toBeTruthy();
});

it("gives a new account the name that its first booking has", async () => {
  const NAMELESS = { ...ADA, user: { ...ADA.user, displayName: "" } };
  responses.set("GET /api/auth/profile", { body: { displayName: "" } });
  responses.set("POST /api/auth/register", { status: 201 });
  responses.set("POST /api/bookings", { status: 201, body: BOOKING });
  responses.set("GET /api/bookings/b-1", { body: BOOKING });
  renderApp(`/book/${TOKEN}`, NAMELESS);
  fireEvent.change(await screen.findByLabelText("Your name"), { target: { value: " Ada King " } });
  fireEvent.change(screen.getByLabelText(/Name of person 2/), { target: { value: "Bo" } });
  fireEvent.click(await bookButton());
  await screen.findByRole("heading", { name: "You're booked!" });
  await waitFor(() => {
    const registered = calls.find(({ route }) => route === "POST /api/auth/register");
    expect(registered?.body).toMatchObject({ email: "ada@example.com", displayName: "Ada King" });
  });
});

it("says what to bring", async () => {
  hold({ bring: "A mat.\nWater." });
  renderApp(`/book/${TOKEN}`, ADA);
  expect((await screen.findByText(/^Bring:/)).closest("dd")?.textContent).toBe("Bring: A mat.\nWater.");
});

it("shows no row for an empty answer to what to bring", async () => {
  renderApp(`/book/${TOKEN}`, ADA);
  await bookButton();
  expect(screen.queryByText("Bring")).toBeNull();
});

it("asks for the address of a session at the user's place", async () => {
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, place: "person" } });
  const booked = { ...BOOKING, place: "person", address: "9 Oak Street" };
  responses.set("POST /api/bookings", { status: 201, body: booked });
  responses.set("GET /api/bookings/b-1", { body: booked });
  renderApp(`/book/${TOKEN}`, ADA);
  const address = await screen.findByLabelText<HTMLTextAreaElement>("Your address");
  fireEvent.click(await bookButton());
  expect(await screen.findByText("Enter the address where you'd like to meet.")).toBeTruthy();
  expect(document.activeElement).toBe(address);
  expect(calls.some(({ route }) => route === "POST /api/bookings")).toBe(false);
  fireEvent.change(address, { target: { value: " 9 Oak Street " } });
  fireEvent.click(await bookButton());
  expect(await screen.findByRole("heading", { name: "You're booked!" })).toBeTruthy();
  expect(screen.getByText("9 Oak Street")).toBeTruthy();
  expect(calls.find(({ route }) => route === "POST /api/bookings")?.body).toMatchObject({ address: "9 Oak Street" });
});

it("keeps a profile that arrives late out of the name with the focus", async () => {
  let answer = (): void => undefined;
  const profile = new Promise<{ body: unknown }>((resolve) => {
    answer = () => resolve({ body: { displayName: "Countess Ada" } });
  });
  responses.set("GET /api/auth/profile", () => profile);
  const { queries } = renderApp(`/book/${TOKEN}`, ADA);
  const name = await screen.findByLabelText<HTMLInputElement>("Your name");
  expect(name.value).toBe("Ada Lovelace");
  act(() => name.focus());
  answer();
  await waitFor(() => expect(queries.getQueryData(["profile", "u1"])).toBeTruthy());
  expect(name.value).toBe("Ada Lovelace");
  act(() => name.blur());
  expect(name.value).toBe("Countess Ada");
});

it("asks for a time that the guru decides on", async () => {
  hold({ approval: "request" });
  const asked = { ...BOOKING, status: "requested" as const, expiresAt: "2027-03-01T12:00:00Z" };
  responses.set("POST /api/bookings", { status: 201, body: asked });
  responses.set("GET /api/bookings/b-1", { body: asked });
  renderApp(`/book/${TOKEN}`, ADA);
  const button = await bookButton();
  expect(button.textContent).toBe("Ask for this time");
  fireEvent.click(button);
  expect(await screen.findByRole("heading", { name: "Request sent to Chef Guru" })).toBeTruthy();
});

it("shows changed terms and books by them with the next press", async () => {
  refuse(409, "policy_changed", "The cancellation terms changed while you were booking. Please read them again.");
  renderApp(`/book/${TOKEN}`, ADA);
  const button = await bookButton();
  hold({ policyDigest: "digest-2", policy: { ...HOLD.policy, freeUntilMinutes: 2880, latePercent: 50 } });
  fireEvent.click(button);
  expect(await screen.findByText(/terms changed while you were booking/)).toBeTruthy();
  expect(await screen.findByText("Cancel free until 48 hours before.")).toBeTruthy();
  fireEvent.click(await bookButton());
  const sent = () => calls.filter(({ route }) => route === "POST /api/bookings").map(({ body }) => body);
  await waitFor(() => expect(sent()).toMatchObject([{ policyDigest: "digest-1" }, { policyDigest: "digest-2" }]));
});

it("asks to verify the email, and goes on by itself", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const unverified = { ...ADA, user: { ...ADA.user, emailVerified: false } };
  let isVerified = false;
  renderApp(`/book/${TOKEN}`, unverified, { checkVerification: () => Promise.resolve(isVerified) });
  expect(await screen.findByRole("heading", { name: "Verify your email" })).toBeTruthy();
  expect((await bookButton()).disabled).toBe(true);
  expect(screen.getByText("Please verify your email first.").id).toBe(
    (await bookButton()).getAttribute("aria-describedby"),
  );
  isVerified = true;
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(await screen.findByText("Your email is verified. You can book now.")).toBeTruthy();
  expect((await bookButton()).disabled).toBe(false);
});

it("asks to verify when the server says so", async () => {
  refuse(403, "email_unverified", "Please verify your email address first. We sent you a link.");
  renderApp(`/book/${TOKEN}`, ADA);
  fireEvent.click(await bookButton());
  expect(await screen.findByText("Please verify your email address first. We sent you a link.")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Verify your email" })).toBeTruthy();
});

it("needs the waiver of a risky session before booking", async () => {
  hold({ waiver: { ...HOLD.waiver, required: true, level: "high" } });
  renderApp(`/book/${TOKEN}`, ADA);
  expect((await bookButton()).disabled).toBe(true);
  expect(screen.getByRole("button", { name: "Read and accept the waiver" })).toBeTruthy();
});

it("announces five, two and one minute, then offers the time again and keeps the input", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.setSystemTime("2027-03-01T12:00:00Z");
  responses.set("GET /api/gurus/cooking/services/s-1/slots", { body: { ...NO_TIMES, next: null } });
  renderApp(`/book/${TOKEN}`, ADA);
  fireEvent.change(await screen.findByLabelText(/Note for Chef Guru/), { target: { value: "Late." } });
  for (const [seconds, text] of [
    [301, "5 minutes left to book."],
    [180, "2 minutes left to book."],
    [60, "1 minute left to book."],
  ] as const) {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
    expect(await screen.findByText(text)).toBeTruthy();
  }
  hold({ status: "expired", expiresAt: null, secondsLeft: 0 });
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(await screen.findByText("Your 10-minute hold has ended. Pick the time again.")).toBeTruthy();
  expect(await screen.findByRole("button", { name: /^Keep Tue, Mar 2, 9:00 AM MST$/ })).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Note for Chef Guru/).value).toBe("Late.");
});

it("says when a time is no longer kept", async () => {
  responses.set(`GET /api/holds/${TOKEN}`, { status: 404, body: { code: "not_found", message: "No." } });
  renderApp(`/book/${TOKEN}`, ADA);
  expect(await screen.findByText("This time is no longer held for you")).toBeTruthy();
});

it("can be retried when the hold does not load", async () => {
  responses.set(`GET /api/holds/${TOKEN}`, { status: 503, body: { code: "unavailable", message: "No." } });
  renderApp(`/book/${TOKEN}`, ADA);
  const retry = await screen.findByRole("button", { name: "Try again" });
  hold();
  fireEvent.click(retry);
  expect((await bookButton()).disabled).toBe(false);
});

it("keeps an offered spot and its hours, and leads back to the waitlist once it has ended", async () => {
  hold({ isOffer: true, secondsLeft: 7199 });
  renderApp(`/book/${TOKEN}`, ADA);
  expect((await screen.findByRole("timer")).textContent).toMatch(/^1:59:5\d$/);
  expect(screen.queryByRole("link", { name: "Choose another time" })).toBeNull();
  hold({ isOffer: true, status: "expired", expiresAt: null, secondsLeft: 0 });
  refuse(409, "hold_expired", "Your 10-minute hold has ended. Pick the time again.");
  await userEvent.click(await bookButton());
  const link = await screen.findByRole("link", { name: "Join the waitlist again" });
  expect(link.getAttribute("href")).toMatch(/^\/sessions\/waitlist\?guru=cooking&service=s-1&/);
  expect(screen.getByText("The time for your free spot has passed, so it went to the next person.")).toBeTruthy();
});

it("leads from a full session to its waitlist", async () => {
  hold({ status: "expired", expiresAt: null, secondsLeft: 0, startsAt: "2099-03-02T16:00:00Z" });
  responses.set("GET /api/gurus/cooking/services/s-1/slots", { body: NO_TIMES });
  const message = "This session is full. You can join the waitlist.";
  responses.set("POST /api/gurus/cooking/holds", { status: 409, body: { code: "session_full", message } });
  renderApp(`/book/${TOKEN}`, ADA);
  await userEvent.click(await screen.findByRole("button", { name: /^Keep / }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Join the waitlist" }).getAttribute("href")).toContain("party=2");
});

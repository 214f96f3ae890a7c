import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { BOOKING, GURU } from "./lib/booking-fixtures";
import type { GuruBookingDetails } from "./lib/types";

const { responses, calls } = apiServer();

const CONFIRMED: GuruBookingDetails = { ...BOOKING, status: "confirmed", canAnswer: false, canCancel: true };

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);
const page = (bookings: GuruBookingDetails[], requests = 0) => ({ body: { bookings, nextCursor: null, requests } });

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/bookings?when=requests", page([]));
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
});

describe("the calendar", () => {
  it.each([false, true])("says whether a week has more bookings than it shows: %s", async (more) => {
    const week = {
      zone: "America/Denver",
      from: "2099-11-30",
      sessions: [],
      busy: [],
      hours: [],
      pausedUntil: null,
      more,
    };
    responses.set("GET /api/guru/bookings/week", { body: week });
    renderApp("/guru/calendar", ADA);
    await screen.findByRole("grid", { name: "Week" });
    expect(screen.queryAllByText(/^This week has very many bookings/)).toHaveLength(more ? 1 : 0);
  });

  it("leads from a session with a neighbor to its exchange", async () => {
    const session = {
      id: "x1",
      kind: "exchange",
      fixed: false,
      serviceId: null,
      serviceName: "",
      startsAt: "2099-12-01T16:00:00Z",
      endsAt: "2099-12-01T17:00:00Z",
      blockedFrom: "2099-12-01T16:00:00Z",
      blockedUntil: "2099-12-01T17:00:00Z",
      capacity: 0,
      taken: 0,
      waiting: 0,
      bookings: [],
    };
    responses.set("GET /api/guru/bookings/week", {
      body: {
        zone: "America/Denver",
        from: "2099-11-30",
        sessions: [session],
        busy: [],
        hours: [],
        pausedUntil: null,
        more: false,
      },
    });
    renderApp("/guru/calendar", ADA);
    responses.set("GET /api/exchanges/x1", { status: 404 });
    await userEvent.setup().click(await screen.findByRole("button", { name: /^Session with a neighbor, Tue, Dec 1/ }));
    await waitFor(() => expect(calls.map(({ route }) => route)).toContain("GET /api/exchanges/x1"));
  });

  it("accepts a request", async () => {
    responses.set("GET /api/guru/bookings?when=requests", page([BOOKING], 1));
    responses.set("POST /api/guru/bookings/b1/answer", { body: CONFIRMED });
    renderApp("/guru/calendar", ADA);
    await screen.findByRole("heading", { name: "1 request is waiting" });
    responses.set("GET /api/guru/bookings?when=requests", page([]));
    await userEvent.setup().click(screen.getByRole("button", { name: "Accept Nora Newcomer" }));
    expect(await screen.findByText("Accepted.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByText("1 request is waiting")).toBeNull());
    expect(bodies("POST /api/guru/bookings/b1/answer")).toEqual([{ accept: true, reason: "", wholeSeries: false }]);
  });

  it("accepts and declines a whole series", async () => {
    const series = { ...BOOKING, seriesId: "b0" };
    responses.set("GET /api/guru/bookings?when=requests", page([series], 1));
    responses.set("POST /api/guru/bookings/b1/answer", { body: { ...CONFIRMED, seriesId: "b0" } });
    renderApp("/guru/calendar", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Accept series of Nora Newcomer" }));
    expect(await screen.findByText("Accepted.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Decline series of Nora Newcomer" }));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Decline Nora Newcomer's series?" }));
    await user.click(dialog.getByRole("button", { name: "Decline" }));
    expect(await screen.findByText("Declined.")).toBeTruthy();
    expect(bodies("POST /api/guru/bookings/b1/answer")).toEqual([
      { accept: true, reason: "", wholeSeries: true },
      { accept: false, reason: "", wholeSeries: true },
    ]);
  });

  it("keeps the typed reason when declining fails", async () => {
    responses.set("GET /api/guru/bookings?when=requests", page([BOOKING], 1));
    responses.set("POST /api/guru/bookings/b1/answer", { status: 503 });
    renderApp("/guru/calendar", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Decline Nora Newcomer" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await user.type(dialog.getByLabelText(/^Reason/), "Away");
    await user.click(dialog.getByRole("button", { name: "Decline" }));
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe("Away");
  });

  it("opens the booking of a link and cancels it with a reason", async () => {
    responses.set("GET /api/guru/bookings/b1", { body: CONFIRMED });
    responses.set("POST /api/guru/bookings/b1/cancellation", { body: { ...CONFIRMED, status: "canceled" } });
    renderApp("/guru/calendar?booking=b1", ADA);
    const user = userEvent.setup();
    const details = within(await screen.findByRole("dialog", { name: "Nora Newcomer" }));
    expect(details.getByText("Waiver due")).toBeTruthy();
    expect(details.getByText("Nora and Ben")).toBeTruthy();
    await user.click(details.getByRole("button", { name: "Cancel session" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await user.click(dialog.getByRole("button", { name: "Cancel session" }));
    expect(await dialog.findByText("Enter a reason")).toBeTruthy();
    expect(bodies("POST /api/guru/bookings/b1/cancellation")).toEqual([]);
    await user.type(dialog.getByLabelText("Reason"), "I am ill.");
    await user.click(dialog.getByRole("button", { name: "Cancel session" }));
    expect(await screen.findByText("Canceled. We've told them.")).toBeTruthy();
    expect(bodies("POST /api/guru/bookings/b1/cancellation")).toEqual([{ reason: "I am ill." }]);
  });

  it("proposes another time and withdraws it", async () => {
    const open = { ...CONFIRMED, canPropose: true };
    const slots = (starts: string[]) => ({
      body: {
        zone: "America/Denver",
        days: 62,
        starts: starts.map((startsAt) => ({ startsAt, seats: 2 })),
        full: [],
        next: null,
      },
    });
    const start = "2099-12-02T16:00:00Z";
    responses.set("GET /api/guru/bookings/b1", { body: open });
    responses.set("GET /api/gurus/ada/services/s1/slots", slots([CONFIRMED.startsAt, start]));
    responses.set("POST /api/guru/bookings/b1/move", { status: 503 });
    renderApp("/guru/calendar?booking=b1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Propose another time" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Propose another time" }));
    const ask = dialog.getByRole("button", { name: "Ask to move" });
    expect((ask as HTMLButtonElement).disabled).toBe(true);
    await user.click(await dialog.findByRole("radio"));
    await user.click(ask);
    expect(await dialog.findByText("Enter a reason")).toBeTruthy();
    await user.type(dialog.getByLabelText("Reason"), "I am ill.");
    await user.click(ask);
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLTextAreaElement>("Reason").value).toBe("I am ill.");

    const proposal = { startsAt: start, answerUntil: "2099-12-01T14:00:00Z", reason: "I am ill." };
    responses.set("POST /api/guru/bookings/b1/move", () => {
      responses.set("GET /api/guru/bookings/b1", { body: { ...CONFIRMED, proposal } });
      return { body: { ...CONFIRMED, proposal } };
    });
    await user.click(await dialog.findByRole("radio"));
    await user.click(ask);
    expect(await screen.findByText("Waiting for Nora Newcomer's answer")).toBeTruthy();
    expect(bodies("POST /api/guru/bookings/b1/move").at(-1)).toEqual({ startsAt: start, reason: "I am ill." });
    expect(screen.queryByRole("button", { name: "Propose another time" })).toBeNull();

    responses.set("DELETE /api/guru/bookings/b1/move", () => {
      responses.set("GET /api/guru/bookings/b1", { body: open });
      return { body: open };
    });
    await user.click(screen.getByRole("button", { name: "Withdraw" }));
    expect(await screen.findByText("Withdrawn. The session stays as it is.")).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Propose another time" })).toBeTruthy();
  });

  it("suggests another time for a request", async () => {
    const asked = { ...BOOKING, canPropose: true };
    const start = "2099-12-02T16:00:00Z";
    responses.set("GET /api/guru/bookings?when=requests", page([asked], 1));
    responses.set("GET /api/guru/bookings/b1", { body: asked });
    responses.set("GET /api/gurus/ada/services/s1/slots", {
      body: { days: 35, starts: [{ startsAt: start, seats: 2 }], full: [], next: null },
    });
    renderApp("/guru/calendar", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Propose another time to Nora Newcomer" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Propose another time" }));
    expect(dialog.getByText(/^Nora Newcomer asked for Tue, Dec 1, 2099, .* they're booked\./)).toBeTruthy();
    await user.click(await dialog.findByRole("radio"));
    await user.type(dialog.getByLabelText("Reason"), "I teach then.");
    const answerUntil = BOOKING.expiresAt ?? "";
    const proposal = { startsAt: start, answerUntil, reason: "I teach then." };
    responses.set("POST /api/guru/bookings/b1/move", () => {
      const open = { ...asked, canPropose: false, proposal };
      responses.set("GET /api/guru/bookings?when=requests", page([open], 1));
      responses.set("GET /api/guru/bookings/b1", { body: open });
      return { body: open };
    });
    await user.click(dialog.getByRole("button", { name: "Suggest" }));
    expect(await screen.findByText("New time proposed")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Details of Nora Newcomer" }));
    const details = within(await screen.findByRole("dialog", { name: "Nora Newcomer" }));
    expect(details.getByText(/^You suggested /)).toBeTruthy();
    expect(details.getByText(/, the request expires\.$/)).toBeTruthy();
    expect(details.getByRole("button", { name: "Accept Nora Newcomer" })).toBeTruthy();
  });

  it("corrects the place of a booked session", async () => {
    const place = "PUT /api/guru/sessions/a1/place";
    responses.set("GET /api/guru/bookings/b1", { body: { ...CONFIRMED, appointmentId: "a1", canChangePlace: true } });
    responses.set(place, { status: 422, body: { code: "validation_failed", fields: { placeText: "Say where." } } });
    renderApp("/guru/calendar?booking=b1", ADA);
    const user = userEvent.setup();
    expect(await screen.findByText("My place: not known yet")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Change the place" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Change the place" }));
    const change = dialog.getByRole("button", { name: "Change place" });
    await user.click(change);
    expect(await dialog.findByText("Enter the place or the link")).toBeTruthy();
    expect(bodies(place)).toEqual([]);
    await user.selectOptions(dialog.getByLabelText("Where you meet"), "Online");
    await user.type(dialog.getByLabelText("Link or how to join"), "https://meet.example/a");
    await user.click(change);
    expect(await dialog.findByText("Say where.")).toBeTruthy();
    responses.set(place, { body: { bookings: [] } });
    await user.click(change);
    expect(await screen.findByText("Changed. Everyone who booked gets an email.")).toBeTruthy();
    expect(bodies(place).at(-1)).toEqual({ place: "online", placeText: "https://meet.example/a" });
  });

  it("shows a neighbor who deleted their account", async () => {
    const erased = { ...CONFIRMED, status: "canceled", personName: "", participants: [], canCancel: false };
    responses.set("GET /api/guru/bookings/b1", { body: erased });
    renderApp("/guru/calendar?booking=b1", ADA);
    expect(await screen.findByRole("dialog", { name: "Former neighbor" })).toBeTruthy();
  });

  it("records that someone did not come", async () => {
    const over = { ...CONFIRMED, canCancel: false, canMarkMissed: true };
    responses.set("GET /api/guru/bookings/b1", { body: over });
    responses.set("POST /api/guru/bookings/b1/attendance", { body: { ...over, status: "missed" } });
    renderApp("/guru/calendar?booking=b1", ADA);
    const user = userEvent.setup();
    const button = await screen.findByRole("button", { name: "Did not come" });
    responses.set("GET /api/guru/bookings/b1", { body: { ...over, status: "missed" } });
    await user.click(button);
    expect(await screen.findByRole("button", { name: "Undo “Did not come”" })).toBeTruthy();
    expect(bodies("POST /api/guru/bookings/b1/attendance")).toEqual([{ missed: true }]);
  });
});

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { Service } from "@/features/services/guru/lib/types";
import type { BusySourceList, CalendarSettings, Slots } from "./lib/types";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const WORKDAY = [{ start: 540, end: 1020 }];
const CALENDAR: CalendarSettings = {
  revision: 4,
  confirmed: true,
  zone: "America/Denver",
  stepMinutes: 30,
  noticeMinutes: 720,
  horizonDays: 60,
  dayMax: null,
  pausedUntil: null,
  week: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, ranges: weekday < 5 ? WORKDAY : [] })),
  dates: [],
};
const LESSON: Service = {
  id: "s1",
  name: "Lesson",
  description: "",
  priceCents: 4500,
  currency: "USD",
  durationMinutes: 60,
  durationLabel: "",
  popular: false,
  features: [],
  openForBooking: true,
  overLimit: false,
};
const SOURCES: BusySourceList = { sources: [], maxSources: 5, isIncluded: true, isAvailable: true };
const SLOTS: Slots = {
  success: true,
  zone: "America/Denver",
  minutes: 60,
  capacity: 1,
  partyMax: 1,
  approval: "instant",
  place: "online",
  freeUntilMinutes: 1440,
  latePercent: 50,
  missedPercent: 100,
  payment: "in_person",
  depositPercent: 20,
  today: "2026-11-30",
  lastDay: "2026-12-31",
  firstDay: "2026-12-01",
  days: 31,
  full: [],
  starts: [{ startsAt: "2026-12-01T16:00:00Z", seats: 1 }],
  next: { startsAt: "2026-12-01T16:00:00Z", seats: 1 },
  message: "",
};
const CONFLICT = { status: 409, body: { code: "changed_elsewhere", message: "Changed." } };

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);
const weekday = (week: { weekdays: number[]; ranges: unknown[] }[], day: number) =>
  week.find(({ weekdays }) => weekdays.includes(day))?.ranges;

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/calendar", { body: CALENDAR });
  responses.set("GET /api/guru/services", { body: { shown: true, services: [LESSON] } });
  responses.set("GET /api/guru/blocks", { body: { blocks: [] } });
  responses.set("GET /api/guru/busy-sources", { body: SOURCES });
  responses.set("GET /api/guru/bookings/booked", { body: { bookings: [], more: false } });
  responses.set("GET /api/gurus/ada/services/s1/slots", { body: SLOTS });
});

async function openHours() {
  const app = renderApp("/guru/hours", ADA);
  await screen.findByRole("heading", { name: "Weekly hours" });
  return { user: userEvent.setup(), ...app };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const lastWeek = () => (bodies("PUT /api/guru/hours").at(-1) as { revision: number; week: never }).week;

describe("the hours", () => {
  it("can be saved as proposed, which confirms them", async () => {
    responses.set("GET /api/guru/calendar", { body: { ...CALENDAR, confirmed: false } });
    responses.set("PUT /api/guru/hours", { body: CALENDAR });
    const { user } = await openHours();
    expect(await screen.findByText("Neighbors can book you in these hours.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    expect(await screen.findByText("Saved. Neighbors see your new hours.")).toBeTruthy();
    expect(screen.queryByText("Neighbors can book you in these hours.")).toBeNull();
    expect(weekday(lastWeek(), 0)).toEqual(WORKDAY);
    expect(weekday(lastWeek(), 6)).toEqual([]);
  });

  it("ask for a proposal to be saved while no service is open", async () => {
    responses.set("GET /api/guru/calendar", { body: { ...CALENDAR, confirmed: false } });
    responses.set("GET /api/guru/services", {
      body: { shown: true, services: [{ ...LESSON, openForBooking: false }] },
    });
    await openHours();
    await screen.findByRole("link", { name: "Set up booking for Lesson" });
    expect(screen.getByText("Set your hours and neighbors can book you.")).toBeTruthy();
  });

  it("are added to a day, copied to others and saved", async () => {
    responses.set("PUT /api/guru/hours", { body: { ...CALENDAR, revision: 5 } });
    const { user } = await openHours();
    type("Monday, to", "12:00");
    await user.click(screen.getByRole("button", { name: "Add hours to Monday" }));
    expect(screen.getByLabelText<HTMLInputElement>("Monday, from (2)").value).toBe("13:00");
    await user.click(screen.getByRole("button", { name: "Copy to… (hours of Monday)" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Copy Monday's hours" }));
    await user.click(dialog.getByRole("checkbox", { name: "Saturday" }));
    await user.click(dialog.getByRole("button", { name: "Copy" }));
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    await screen.findByText("Saved. Neighbors see your new hours.");
    const both = [
      { start: 540, end: 720 },
      { start: 780, end: 900 },
    ];
    expect([0, 1, 5].map((day) => weekday(lastWeek(), day))).toEqual([both, WORKDAY, both]);
  });

  it("are not saved while they overlap", async () => {
    const { user } = await openHours();
    type("Monday, to", "08:00");
    expect(await screen.findByText("The end must be after the start.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    expect(bodies("PUT /api/guru/hours")).toEqual([]);
  });

  it("are saved on top when only something else changed", async () => {
    let attempt = 0;
    responses.set("PUT /api/guru/hours", () => (attempt++ === 0 ? CONFLICT : { body: { ...CALENDAR, revision: 10 } }));
    const { user } = await openHours();
    type("Monday, to", "12:00");
    responses.set("GET /api/guru/calendar", { body: { ...CALENDAR, revision: 9, dayMax: 3 } });
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    expect(await screen.findByText("Saved. Neighbors see your new hours.")).toBeTruthy();
    expect(bodies("PUT /api/guru/hours")).toMatchObject([{ revision: 4 }, { revision: 9 }]);
  });

  it("keep what was typed when they were changed elsewhere", async () => {
    responses.set("PUT /api/guru/hours", CONFLICT);
    const { user } = await openHours();
    type("Monday, to", "12:00");
    const theirs = CALENDAR.week.map((day) => (day.weekday === 1 ? { ...day, ranges: [] } : day));
    responses.set("GET /api/guru/calendar", { body: { ...CALENDAR, revision: 9, week: theirs } });
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    expect(await screen.findByText(/Your changes aren't lost/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Monday, to").value).toBe("12:00");
    responses.set("PUT /api/guru/hours", { body: { ...CALENDAR, revision: 10 } });
    await user.click(screen.getByRole("button", { name: "Save my version" }));
    await screen.findByText("Saved. Neighbors see your new hours.");
    expect(bodies("PUT /api/guru/hours").at(-1)).toMatchObject({ revision: 9 });
  });

  it("ask before they are lost", async () => {
    const { user, router } = await openHours();
    type("Monday, to", "12:00");
    await user.click(screen.getByRole("link", { name: "Leads" }));
    expect(await screen.findByRole("alertdialog", { name: "Leave without saving?" })).toBeTruthy();
    expect(router.state.location.pathname).toBe("/guru/hours");
  });
});

describe("the rules, dates and busy times", () => {
  it("save the rules with a limit of sessions a day", async () => {
    responses.set("PATCH /api/guru/calendar", { body: { ...CALENDAR, dayMax: 4, zone: "America/Chicago" } });
    const { user } = await openHours();
    await user.selectOptions(screen.getByLabelText("Time zone"), "America/Chicago");
    await user.type(screen.getByLabelText("Most sessions a day"), "400");
    await user.click(screen.getByRole("button", { name: "Save rules" }));
    expect(await screen.findByText("Enter 1 to 100, or leave it blank")).toBeTruthy();
    type("Most sessions a day", "4");
    await user.click(screen.getByRole("button", { name: "Save rules" }));
    await screen.findByText("Saved. Neighbors see your new rules.");
    expect(bodies("PATCH /api/guru/calendar")).toMatchObject([{ revision: 4, dayMax: 4, zone: "America/Chicago" }]);
  });

  it("add a day off", async () => {
    const dates = [{ day: "2099-12-25", ranges: [] }];
    responses.set("PUT /api/guru/hours/dates/2099-12-25", { body: { ...CALENDAR, dates } });
    const { user } = await openHours();
    await user.click(screen.getByRole("button", { name: "Add a date" }));
    await user.click(screen.getByRole("button", { name: "Save date" }));
    expect(await screen.findByText("Choose today or a later date")).toBeTruthy();
    type("Date", "2099-12-25");
    await user.click(screen.getByRole("button", { name: "Save date" }));
    const list = within(await screen.findByRole("list", { name: "Dates" }));
    expect(list.getByText("Fri, Dec 25, 2099")).toBeTruthy();
    expect(list.getByText("Day off")).toBeTruthy();
  });

  it("block a time in the calendar's zone", async () => {
    const block = { id: "b1", startsAt: "2099-07-01T15:00:00Z", endsAt: "2099-07-03T23:00:00Z" };
    responses.set("POST /api/guru/blocks", { status: 201, body: { blocks: [block] } });
    const { user } = await openHours();
    await user.click(await screen.findByRole("button", { name: "Add a busy time" }));
    type("From", "2099-07-01");
    type("To", "2099-07-03");
    await user.click(screen.getByRole("button", { name: "Save busy time" }));
    expect(await screen.findByText("Wed, Jul 1, 2099, 9:00 AM MDT – Fri, Jul 3, 2099, 5:00 PM MDT")).toBeTruthy();
    expect(bodies("POST /api/guru/blocks")).toEqual([
      { startsAt: "2099-07-01T15:00:00.000Z", endsAt: "2099-07-03T23:00:00.000Z" },
    ]);
  });

  it("list the booked sessions that a change affects, before it is saved", async () => {
    const session = (id: string, personName: string, startsAt: string, endsAt: string) => ({
      id,
      personName,
      startsAt,
      endsAt,
      serviceId: "s1",
      serviceName: "Lesson",
      zone: "America/Denver",
      waiverDue: false,
    });
    const bookings = [
      session("b1", "Nora Newcomer", "2099-12-01T16:00:00Z", "2099-12-01T17:00:00Z"), // Tue, 9 AM
      session("b2", "Ben Baker", "2099-12-01T22:00:00Z", "2099-12-01T23:00:00Z"), // Tue, 3 PM
    ];
    responses.set("GET /api/guru/bookings/booked", { body: { bookings, more: false } });
    renderApp("/guru/hours", ADA);
    const user = userEvent.setup();
    const week = within(await screen.findByRole("region", { name: "Weekly hours" }));
    const [end] = week.getAllByLabelText(/Tuesday.*end|Tuesday.*to/i);
    if (!end) throw new Error("Tuesday has no hours.");
    fireEvent.change(end, { target: { value: "12:00" } });
    const link = await week.findByRole("link", { name: /Lesson with Ben Baker/ });
    expect(link.getAttribute("href")).toBe("/guru/calendar?booking=b2");
    expect(week.queryByRole("link", { name: /Nora Newcomer/ })).toBeNull();

    const dates = within(screen.getByRole("region", { name: "Days off and special hours" }));
    await user.click(dates.getByRole("button", { name: "Add a date" }));
    fireEvent.change(dates.getByLabelText("Date"), { target: { value: "2099-12-01" } });
    expect(await dates.findByRole("link", { name: /Nora Newcomer/ })).toBeTruthy();
    expect(dates.getByText(/stay booked/)).toBeTruthy();

    const busy = within(screen.getByRole("region", { name: "I'm busy" }));
    await user.click(await busy.findByRole("button", { name: "Add a busy time" }));
    expect(await busy.findByRole("link", { name: /Ben Baker/ })).toBeTruthy();
    expect(busy.getByText(/Cancel or move them first/)).toBeTruthy();
    fireEvent.change(busy.getByLabelText("To"), { target: { value: "2020-01-01" } });
    expect(busy.queryByText(/Cancel or move them first/)).toBeNull();
  });

  it("pause on top of the newest revision", async () => {
    responses.set("PATCH /api/guru/calendar", { body: { ...CALENDAR, pausedUntil: "2099-07-01T06:00:00Z" } });
    const { user } = await openHours();
    responses.set("GET /api/guru/calendar", { body: { ...CALENDAR, revision: 9 } });
    type("Not taking bookings until", "2099-07-01");
    await user.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText(/Not taking bookings until Wed, Jul 1, 2099, 12:00 AM MDT/)).toBeTruthy();
    expect(bodies("PATCH /api/guru/calendar")).toEqual([{ revision: 9, pausedUntil: "2099-07-01T06:00:00.000Z" }]);
  });
});

describe("the preview", () => {
  it("shows the free times and why a time is not offered", async () => {
    const sentence = "You have no hours on Sunday, November 29.";
    responses.set("GET /api/guru/services/s1/why", { body: { offered: false, reason: "closed", sentence } });
    const { user } = await openHours();
    const preview = within(await screen.findByRole("region", { name: "What neighbors see" }));
    expect(await preview.findByText("9:00 AM")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Ask" }));
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  it.each([
    ["request", "You answer each request."],
    ["instant", "Bookings are confirmed right away."],
  ])("tells who confirms a booking (%s)", async (approval, text) => {
    responses.set("GET /api/gurus/ada/services/s1/slots", { body: { ...SLOTS, approval } });
    await openHours();
    expect(await screen.findByText(text)).toBeTruthy();
    const link = screen.getByRole("link", { name: "Booking settings of Lesson" });
    expect(link.getAttribute("href")).toBe("/guru/services/s1/booking");
  });

  it("says that an approval is missing before visitors see times", async () => {
    responses.set("GET /api/guru/calendar", { body: { ...CALENDAR, confirmed: false } });
    responses.set("GET /api/guru/services", { body: { shown: false, services: [LESSON] } });
    await openHours();
    const link = await screen.findByRole("link", { name: "Check your documents" });
    expect(link.getAttribute("href")).toBe("/onboarding/requirements");
    expect(screen.queryByText("Neighbors can book you in these hours.")).toBeNull();
    expect(calls.map(({ route }) => route)).not.toContain("GET /api/gurus/ada/services/s1/slots?days=31");
  });

  it("shows how to open a service", async () => {
    responses.set("GET /api/guru/services", {
      body: { shown: true, services: [{ ...LESSON, openForBooking: false }] },
    });
    await openHours();
    const link = await screen.findByRole("link", { name: "Set up booking for Lesson" });
    expect(link.getAttribute("href")).toBe("/guru/services/s1/booking");
  });

  it("loads the times again after an error", async () => {
    responses.set("GET /api/gurus/ada/services/s1/slots", { status: 503 });
    const { user } = await openHours();
    await screen.findByText("We couldn't load the times.");
    responses.set("GET /api/gurus/ada/services/s1/slots", { body: SLOTS });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.getByText("9:00 AM")).toBeTruthy());
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { BusySource, BusySourceList, CalendarSettings } from "./lib/types";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const CALENDAR: CalendarSettings = {
  revision: 4,
  confirmed: true,
  zone: "America/Denver",
  stepMinutes: 30,
  noticeMinutes: 720,
  horizonDays: 60,
  dayMax: null,
  pausedUntil: null,
  week: [],
  dates: [],
};
const WORK: BusySource = {
  id: "w1",
  kind: "ics",
  name: "Work",
  host: "calendar.example",
  allDayBlocks: true,
  state: "good",
  reason: "",
  lastGoodAt: "2026-11-30T16:00:00Z",
  failingSince: null,
};
const NONE: BusySourceList = { sources: [], maxSources: 5, isIncluded: true, isAvailable: true };
const list = (...sources: BusySource[]) => ({ body: { ...NONE, sources } });
const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/calendar", { body: CALENDAR });
  responses.set("GET /api/guru/services", { body: { shown: true, services: [] } });
  responses.set("GET /api/guru/blocks", { body: { blocks: [] } });
  responses.set("GET /api/guru/bookings/booked", { body: { bookings: [], more: false } });
  responses.set("GET /api/guru/busy-sources", list());
});

async function open() {
  renderApp("/guru/hours", ADA);
  const card = await screen.findByRole("region", { name: "Connected calendars" });
  return { user: userEvent.setup(), card: within(card) };
}

describe("connected calendars", () => {
  it("are added by their address, and keep what was typed after an error", async () => {
    const message = "There is no calendar at this address any more. Please copy the address again.";
    responses.set("POST /api/guru/busy-sources", {
      status: 422,
      body: { code: "validation_failed", message: "Please check.", fields: { url: message } },
    });
    const { user, card } = await open();
    await user.click(await card.findByRole("button", { name: "Connect a calendar" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Connect a calendar" }));
    await user.click(dialog.getByRole("button", { name: "Connect" }));
    expect(dialog.getByText("Enter a name, such as Work.")).toBeTruthy();
    await user.type(dialog.getByLabelText("Name"), "Work");
    await user.type(dialog.getByLabelText("Address"), "webcal://calendar.example/a.ics");
    await user.click(dialog.getByRole("button", { name: "Connect" }));
    expect(await dialog.findByText(message)).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>("Name").value).toBe("Work");
    responses.set("POST /api/guru/busy-sources", { status: 201, ...list({ ...WORK, state: "new", lastGoodAt: null }) });
    await user.click(dialog.getByRole("button", { name: "Connect" }));
    expect(await card.findByText("We're reading it for the first time.")).toBeTruthy();
    expect(bodies("POST /api/guru/busy-sources").at(-1)).toMatchObject({
      kind: "ics",
      name: "Work",
      url: "webcal://calendar.example/a.ics",
      allDayBlocks: true,
    });
  });

  it("of an account are found and chosen", async () => {
    responses.set("POST /api/guru/busy-sources/accounts", {
      body: {
        calendars: [
          { url: "https://caldav.icloud.com/1/", name: "Home" },
          { url: "https://caldav.icloud.com/2/", name: "Work" },
        ],
      },
    });
    responses.set("POST /api/guru/busy-sources", { status: 201, ...list(WORK) });
    const { user, card } = await open();
    await user.click(await card.findByRole("button", { name: "Connect a calendar" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Connect a calendar" }));
    await user.click(dialog.getByRole("radio", { name: /With an app password/ }));
    await user.type(dialog.getByLabelText("User name"), "ada@example.com");
    await user.type(dialog.getByLabelText("App password"), "abcd-efgh");
    await user.click(dialog.getByRole("button", { name: "Find calendars" }));
    await user.click(await dialog.findByRole("checkbox", { name: "Work" }));
    await user.click(dialog.getByRole("button", { name: "Connect" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies("POST /api/guru/busy-sources").map((body) => (body as { name: string }).name)).toEqual([
      "Home",
      "Work",
    ]);
  });

  it("that can't be read say since when, and ask for a decision", async () => {
    const failing: BusySource = {
      ...WORK,
      state: "decide",
      reason: "The calendar's server did not answer.",
      failingSince: "2026-11-30T16:15:00Z",
    };
    responses.set("GET /api/guru/busy-sources", list(failing));
    responses.set("POST /api/guru/busy-sources/w1/decision", list({ ...failing, state: "failing" }));
    const { user, card } = await open();
    expect(
      await card.findByText(/We could not read ‘Work’ since .* We go by what we read on .* did not answer/),
    ).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Keep its old times: Work" }));
    expect(await card.findByText("Not readable")).toBeTruthy();
  });

  it("are removed after a question", async () => {
    responses.set("GET /api/guru/busy-sources", list(WORK));
    responses.set("DELETE /api/guru/busy-sources/w1", list());
    const { user, card } = await open();
    await user.click(await card.findByRole("button", { name: "Remove Work" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Remove ‘Work’?" }));
    await user.click(question.getByRole("button", { name: "Remove calendar" }));
    expect(await screen.findByText("Removed. ‘Work’ doesn't count any more.")).toBeTruthy();
    expect(card.queryByRole("heading", { name: "Work" })).toBeNull();
  });

  it("need a plan that includes them", async () => {
    responses.set("GET /api/guru/busy-sources", { body: { ...NONE, isIncluded: false } });
    const { card } = await open();
    expect(await card.findByText(/part of Skill Sharer/)).toBeTruthy();
    expect(card.queryByRole("button", { name: "Connect a calendar" })).toBeNull();
  });

  it("say when they can't be loaded", async () => {
    responses.set("GET /api/guru/busy-sources", { status: 500, body: { code: "internal", message: "Server error." } });
    const { card } = await open();
    expect(await card.findByText("We couldn't load your connected calendars")).toBeTruthy();
    expect(card.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { translatePage } from "@/testing/translator";
import { BOOKING, GURU } from "../lib/booking-fixtures";
import type { GuruSession, GuruWeek } from "../lib/types";

const { responses, calls } = apiServer();
const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);
const at = (day: number, hour: number, minute = 0) =>
  new Date(Date.UTC(2099, 10, 30 + day, hour + 7, minute)).toISOString().replace(".000", "");

function session(id: string, startsAt: string, endsAt: string, changes: Partial<GuruSession> = {}): GuruSession {
  const times = { startsAt, endsAt, blockedFrom: startsAt, blockedUntil: endsAt };
  return {
    id, kind: "session", fixed: false, serviceId: "s1", serviceName: "Lesson", ...times, capacity: 1, taken: 1,
    waiting: 0, bookings: [], ...changes,
  }; // prettier-ignore
}

const CONFIRMED = { ...BOOKING, status: "confirmed" as const, canAnswer: false, canPropose: true, party: 1 };
const LESSON = session("a1", at(1, 9), at(1, 10), { bookings: [CONFIRMED] });
const BLOCK = session("k1", at(2, 13), at(2, 15), {
  kind: "block",
  serviceId: null,
  serviceName: "",
  taken: 0,
  capacity: 0,
});
const WEEK: GuruWeek = {
  zone: "America/Denver",
  from: "2099-11-30",
  sessions: [LESSON, BLOCK],
  busy: [{ calendar: "Family", startsAt: at(3, 8), endsAt: at(3, 9) }],
  hours: [0, 1, 2, 3, 4].map((day) => ({ startsAt: at(day, 9), endsAt: at(day, 17) })),
  pausedUntil: null,
  more: false,
};

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/bookings?when=requests", { body: { bookings: [], nextCursor: null, requests: 0 } });
  responses.set("GET /api/guru/bookings/week", { body: WEEK });
  responses.set("GET /api/guru/bookings/booked", { body: { bookings: [], more: false } });
  responses.set("GET /api/guru/bookings/b1/move/starts", { body: { starts: [at(1, 9, 30), at(1, 11), at(2, 9)] } });
});

async function openWeek(address = "/guru/calendar") {
  renderApp(address, ADA);
  const grid = await screen.findByRole("grid");
  return { grid: within(grid), user: userEvent.setup({ pointerEventsCheck: 0 }) };
}

const focused = () => {
  const element = document.activeElement;
  return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
};

describe("the week by the hour", () => {
  it("moves the focus as in a grid, with one tab stop", async () => {
    const { grid, user } = await openWeek();
    const stops = () => document.querySelectorAll("[role=grid] [data-key][tabindex='0']");
    expect(stops()).toHaveLength(1);
    grid.getByRole("gridcell", { name: /^Mon, Nov 30, 2099, 9:00 AM/ }).focus();
    await user.keyboard("{ArrowRight}");
    expect(focused()).toMatch(/^Nora Newcomer, Tue, Dec 1, 2099, 9:00 – 10:00 AM/);
    await user.keyboard("{ArrowDown}");
    expect(focused()).toMatch(/^Tue, Dec 1, 2099, 10:00 AM/);
    await user.keyboard("{End}{Home}{ArrowUp}");
    expect(focused()).toMatch(/^Mon, Nov 30, 2099, 9:30 AM/);
    expect(stops()).toHaveLength(1);
    await user.keyboard("{PageDown}");
    await waitFor(() => expect(calls.at(-1)?.route).toContain("from=2099-12-07"));
  });

  it("blocks an empty time and undoes it", async () => {
    const { grid, user } = await openWeek();
    grid.getByRole("gridcell", { name: /^Mon, Nov 30, 2099, 11:00 AM/ }).focus();
    await user.keyboard("{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: /^Mon, Nov 30, 2099, 11:00 AM – 12:00 PM/ }));
    await user.click(dialog.getByRole("button", { name: "Block this time" }));
    const block = { startsAt: at(0, 11).replace("Z", ".000Z"), endsAt: at(0, 12).replace("Z", ".000Z") };
    responses.set("POST /api/guru/blocks", {
      status: 201,
      body: { blocks: [{ id: "k2", startsAt: at(0, 11), endsAt: at(0, 12) }] },
    });
    responses.set("DELETE /api/guru/blocks/k2", { body: { blocks: [] } });
    await user.click(await screen.findByRole("button", { name: "Save busy time" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Removed. The time is free again.")).toBeTruthy();
    expect(bodies("POST /api/guru/blocks")).toEqual([block]);
    expect(bodies("DELETE /api/guru/blocks/k2")).toHaveLength(1);
  });

  it("changes and removes a blocked time", async () => {
    const { grid, user } = await openWeek();
    await user.click(grid.getByRole("button", { name: /^Blocked, Wed, Dec 2/ }));
    responses.set("PUT /api/guru/blocks/k1", {
      status: 409,
      body: { code: "time_taken", message: "You already have a session then." },
    });
    await user.click(await screen.findByRole("button", { name: "Save busy time" }));
    expect(await screen.findByText("You already have a session then.")).toBeTruthy();
    responses.set("DELETE /api/guru/blocks/k1", { body: { blocks: [] } });
    await user.click(screen.getByRole("button", { name: "Remove this blocked time" }));
    expect(await screen.findByText("Removed. The time is free again.")).toBeTruthy();
  });

  it("books an empty time for a customer", async () => {
    responses.set("GET /api/guru/calendar", { body: { zone: "America/Denver" } });
    responses.set("GET /api/guru/services", { body: { services: [], revision: 1, deleted: null } });
    const { grid, user } = await openWeek();
    await user.click(grid.getByRole("gridcell", { name: /^Fri, Dec 4, 2099, 2:30 PM/ }));
    const panel = within(await screen.findByRole("dialog"));
    await user.click(panel.getByRole("button", { name: "Book for a customer" }));
    const date = await screen.findByLabelText<HTMLInputElement>(/^Date/);
    await waitFor(() => expect(date.value).toBe("2099-12-04"));
    expect(screen.getByLabelText<HTMLInputElement>("Time").value).toBe("14:30");
  });

  it("moves a session by keyboard on named terms, and loses nothing", async () => {
    const { grid, user } = await openWeek();
    grid.getByRole("button", { name: /^Nora Newcomer/ }).focus();
    await user.keyboard("m");
    await waitFor(() => expect(calls.some(({ route }) => route.includes("/move/starts"))).toBe(true));
    await screen.findByText(/^Nora Newcomer: Tue, Dec 1, 2099, 9:00 AM MST\. Choose/);
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(await screen.findByText("Nora Newcomer: Tue, Dec 1, 2099, 11:00 AM MST.")).toBeTruthy();
    await user.keyboard("{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "Move this session?" }));
    expect(dialog.getByText("Tue, Dec 1, 2099, 11:00 AM – 12:00 PM MST")).toBeTruthy();
    expect(dialog.getByText("We'll email Nora Newcomer, and nothing changes until they answer.")).toBeTruthy();
    expect(dialog.getByText(/^They can accept, or cancel for free, until /)).toBeTruthy();
    expect(dialog.getByText("If the risk has risen since they signed, they sign a new waiver.")).toBeTruthy();
    await user.type(dialog.getByLabelText("Reason"), "I am ill.");
    responses.set("POST /api/guru/bookings/b1/move", {
      status: 409,
      body: { code: "slot_taken", message: "That time was just taken. Please choose another." },
    });
    responses.set("GET /api/guru/services/s1/why", {
      body: { offered: false, reason: "busy", sentence: "You have a session then." },
    });
    await user.click(dialog.getByRole("button", { name: "Ask to move" }));
    expect(await dialog.findByText("That time was just taken. Please choose another.")).toBeTruthy();
    expect(await dialog.findByText("You have a session then.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLTextAreaElement>("Reason").value).toBe("I am ill.");
    responses.set("POST /api/guru/bookings/b1/move", { body: { ...CONFIRMED, canPropose: false } });
    await user.click(dialog.getByRole("button", { name: "Ask to move" }));
    expect(await screen.findByText("We've asked Nora Newcomer.")).toBeTruthy();
    expect(bodies("POST /api/guru/bookings/b1/move").at(-1)).toEqual({
      startsAt: at(1, 11).replace("Z", ".000Z"),
      reason: "I am ill.",
    });
  });

  it("ends a move on Escape", async () => {
    const { grid, user } = await openWeek();
    grid.getByRole("button", { name: /^Nora Newcomer/ }).focus();
    await user.keyboard("m{ArrowRight}{Escape}");
    expect(screen.queryByText(/^Nora Newcomer: /)).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(focused()).toMatch(/^Nora Newcomer/);
  });

  it("says why a session can't move", async () => {
    const customer = { ...CONFIRMED, canPropose: false, isCustomer: true };
    responses.set("GET /api/guru/bookings/week", {
      body: { ...WEEK, sessions: [{ ...LESSON, bookings: [customer] }] },
    });
    const { grid, user } = await openWeek();
    grid.getByRole("button", { name: /^Nora Newcomer/ }).focus();
    await user.keyboard("m");
    expect(await screen.findByText(/^Nora Newcomer has no account\./)).toBeTruthy();
  });

  it("asks everyone of a session", async () => {
    const ben = { ...CONFIRMED, id: "b2", personName: "Ben" };
    const both = session("a1", at(1, 9), at(1, 10), { capacity: 4, taken: 2, bookings: [CONFIRMED, ben] });
    responses.set("GET /api/guru/bookings/week", { body: { ...WEEK, sessions: [both] } });
    const { grid, user } = await openWeek();
    grid.getByRole("button", { name: /^Lesson, Tue, Dec 1/ }).focus();
    await user.keyboard("m{ArrowRight}{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "Move this session?" }));
    await user.type(dialog.getByLabelText("Reason"), "Ill");
    responses.set("POST /api/guru/bookings/b1/move", { body: CONFIRMED });
    responses.set("POST /api/guru/bookings/b2/move", { status: 503 });
    await user.click(dialog.getByRole("button", { name: "Ask to move" }));
    expect(await dialog.findByText("We'll email Ben, and nothing changes until they answer.")).toBeTruthy();
    expect(await dialog.findByText("Server error. Please try again later.")).toBeTruthy();
    responses.set("POST /api/guru/bookings/b2/move", { body: ben });
    await user.click(dialog.getByRole("button", { name: "Ask to move" }));
    await waitFor(() => expect(bodies("POST /api/guru/bookings/b2/move")).toHaveLength(2));
    expect(bodies("POST /api/guru/bookings/b1/move")).toHaveLength(1);
  });

  it("survives a translated page with many sessions", async () => {
    const many = Array.from({ length: 60 }, (_, index) => {
      const [day, hour] = [index % 6, 8 + Math.floor(index / 6)];
      return session(`a${index}`, at(day, hour), at(day, hour, 45), { bookings: [{ ...CONFIRMED, id: `b${index}` }] });
    });
    responses.set("GET /api/guru/bookings/week", { body: { ...WEEK, sessions: many } });
    const { grid, user } = await openWeek();
    expect(grid.getAllByRole("button", { name: /^Nora Newcomer/ })).toHaveLength(60);
    await translatePage();
    await user.click(screen.getByRole("button", { name: "All 24 hours" }));
    await user.click(screen.getByRole("button", { name: "List" }));
    expect(await screen.findByRole("list", { name: "Days" })).toBeTruthy();
  });
});

describe("the list", () => {
  it("begins on a phone, with only the days that have something", async () => {
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: query === "(max-width: 48rem)",
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    renderApp("/guru/calendar", ADA);
    const list = within(await screen.findByRole("list", { name: "Days" }));
    expect(list.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
      "Tuesday, December 1", "Wednesday, December 2", "Thursday, December 3",
    ]); // prettier-ignore
    expect(list.getByText("10:00 AM – 5:00 PM")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Week" })).toBeNull();
    vi.stubGlobal("matchMedia", undefined);
  });

  it("says that nothing is planned", async () => {
    responses.set("GET /api/guru/bookings/week", { body: { ...WEEK, sessions: [], busy: [] } });
    renderApp("/guru/calendar?view=list", ADA);
    expect(await screen.findByText("No sessions on these 7 days.")).toBeTruthy();
  });
});

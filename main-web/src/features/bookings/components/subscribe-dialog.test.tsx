import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { CalendarFeed } from "../api/get-feeds";

const { responses, calls } = apiServer();

const PHONE: CalendarFeed = {
  id: "f1",
  kind: "personal",
  name: "My phone",
  createdAt: "2026-11-30T16:00:00Z",
  readAt: null,
};
const URL = "https://porchlight.test/calendar/abc.ics";
const list = (...feeds: CalendarFeed[]) => ({ body: { feeds, maxFeeds: 5, isIncluded: true } });

beforeEach(() => {
  responses.set("GET /api/bookings?when=upcoming", { body: { bookings: [], nextCursor: null } });
  responses.set("GET /api/waitlist", { body: { entries: [] } });
  responses.set("GET /api/calendar-feeds", list());
});

async function open() {
  renderApp("/sessions", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Subscribe in your calendar" }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: "Subscribe in your calendar" })) };
}

describe("the links for calendars", () => {
  it("are created, shown once and opened in a calendar", async () => {
    responses.set("POST /api/calendar-feeds", () => {
      responses.set("GET /api/calendar-feeds", list(PHONE));
      return { status: 201, body: { feed: PHONE, url: URL } };
    });
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole("button", { name: "Create a link" }));
    expect(dialog.getByText("Enter where you'll use it, such as My phone.")).toBeTruthy();
    await user.type(dialog.getByLabelText("Where you'll use it"), "My phone");
    await user.click(dialog.getByRole("button", { name: "Create a link" }));
    expect(await dialog.findByText(URL)).toBeTruthy();
    expect(dialog.getByRole("link", { name: "Open in my calendar" }).getAttribute("href")).toBe(
      "webcal://porchlight.test/calendar/abc.ics",
    );
    expect(calls.find(({ route }) => route === "POST /api/calendar-feeds")?.body).toEqual({
      kind: "personal",
      name: "My phone",
    });
    expect(await dialog.findByRole("button", { name: "Revoke My phone" })).toBeTruthy();
  });

  it("are revoked", async () => {
    responses.set("GET /api/calendar-feeds", list(PHONE));
    responses.set("DELETE /api/calendar-feeds/f1", list());
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole("button", { name: "Revoke My phone" }));
    expect(await screen.findByText("Revoked. ‘My phone’ shows nothing any more.")).toBeTruthy();
    expect(dialog.queryByText("My phone")).toBeNull();
  });

  it("need a plan that includes them", async () => {
    responses.set("GET /api/calendar-feeds", { body: { feeds: [], maxFeeds: 5, isIncluded: false } });
    const { dialog } = await open();
    expect(await dialog.findByText(/part of Skill Sharer/)).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Create a link" })).toBeNull();
  });

  it("say when they can't be loaded", async () => {
    responses.set("GET /api/calendar-feeds", { status: 500, body: { code: "internal", message: "Server error." } });
    const { dialog } = await open();
    expect(await dialog.findByText("We couldn't load your calendar links")).toBeTruthy();
  });
});

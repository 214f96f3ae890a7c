import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Notification } from "../api/get-notifications";

const { responses, calls } = apiServer();
const COUNT = "GET /api/notification-count";
const LIST = "GET /api/notifications";
const written = () => calls.filter(({ route }) => !route.startsWith("GET")).map(({ route, body }) => [route, body]);

const item = (id: string, changes: Partial<Notification> = {}): Notification => ({
  id,
  kind: "agreement",
  title: `Ada booked Soup ${id}`,
  url: `/sessions/${id}`,
  createdAt: new Date().toISOString(),
  isSeen: false,
  isRead: false,
  ...changes,
});

function answer(items: Notification[], unseen = items.length) {
  responses.set(COUNT, { body: { unseen } });
  responses.set(LIST, { body: { items, hasMore: false } });
  responses.set("PUT /api/notifications", { body: { unseen: 0 } });
}

describe("the bell", () => {
  it("asks nothing for visitors", async () => {
    renderApp("/about");
    await screen.findByRole("banner");
    expect(screen.queryByRole("button", { name: /Notifications/ })).toBeNull();
    expect(calls.filter(({ route }) => route.includes("notification"))).toEqual([]);
  });

  it("says how many are new, and opens them in a panel", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    answer([item("1"), item("2", { isRead: true, url: "https://ada.porchlight.example/services/1/times" })]);
    renderApp("/about", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Notifications, 2 new" }));
    const panel = within(await screen.findByRole("dialog", { name: "Notifications" }));
    expect(await panel.findByRole("heading", { name: "Today" })).toBeTruthy();
    expect(panel.getByRole("link", { name: /Ada booked Soup 1 .*Unread/ }).getAttribute("href")).toBe("/sessions/1");
    expect(panel.getByRole("link", { name: /Soup 2/ }).getAttribute("href")).toMatch(/^https:\/\/ada\./);
    await waitFor(() => expect(written()).toEqual([["PUT /api/notifications", { state: "seen" }]]));
    expect(await screen.findByRole("button", { name: "Notifications", hidden: true })).toBeTruthy();
    await user.click(panel.getByRole("button", { name: "Mark all as read" }));
    await waitFor(() => expect(panel.queryByText("Unread")).toBeNull());
    expect(written().at(-1)).toEqual(["PUT /api/notifications", { state: "read" }]);
  });

  it("leads to the page on a phone", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    answer([]);
    const { router } = renderApp("/about", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Notifications" }));
    expect(await screen.findByText("Nothing yet")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/notifications");
  });
});

describe("the page", () => {
  it("shows that it loads, and older ones on demand", async () => {
    const { responder, release } = heldResponse({ items: [item("1")], hasMore: true });
    responses.set(LIST, responder);
    responses.set("GET /api/notifications?before=1", {
      body: { items: [item("2", { title: "Long ago" })], hasMore: false },
    });
    responses.set("PUT /api/notifications", { body: { unseen: 0 } });
    renderApp("/notifications", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Notifications" })).toBeTruthy();
    expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
    release();
    await userEvent.click(await screen.findByRole("button", { name: "Show older" }));
    expect(await screen.findByText("Long ago")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
  });

  it("marks one as read when it is opened", async () => {
    answer([item("1", { url: "/about" })]);
    responses.set("PUT /api/notifications/1", { body: { unseen: 0 } });
    const { router } = renderApp("/notifications", ADA);
    await userEvent.click(await screen.findByRole("link", { name: /Soup 1/ }));
    expect(router.state.location.pathname).toBe("/about");
    await waitFor(() => expect(written()).toContainEqual(["PUT /api/notifications/1", { isRead: true }]));
  });

  it("says when it could not load", async () => {
    responses.set(LIST, { status: 503, body: { code: "unavailable", message: "Please try again later." } });
    renderApp("/notifications", ADA);
    expect(await screen.findByText("We couldn't load your notifications")).toBeTruthy();
    answer([item("1")]);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Ada booked Soup 1")).toBeTruthy();
  });
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { EmailSettings } from "../api/get-email-settings";

const { responses, calls } = apiServer();
const SETTINGS: EmailSettings = {
  settings: [
    { kind: "reminders", title: "Session reminders", description: "Before a session.", isOn: true },
    { kind: "search_alerts", title: "Search alerts", description: "New results.", isOn: false },
  ],
  complete: true,
};
const GET = "GET /api/email-settings/t1";
const PUT = "PUT /api/email-settings/t1";
const toggle = (name: string) => screen.findByRole("switch", { name });
const written = () => calls.filter(({ route }) => !route.startsWith("GET"));

describe("the page of email settings", () => {
  it("opens with the link of an email, without signing in, and changes nothing", async () => {
    const { responder, release } = heldResponse(SETTINGS);
    responses.set(GET, responder);
    renderApp("/email-settings/t1");
    expect(await screen.findByRole("heading", { level: 1, name: "Your emails" })).toBeTruthy();
    expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
    release();
    expect((await toggle("Session reminders")).getAttribute("aria-describedby")).toBeTruthy();
    expect(((await toggle("Session reminders")) as HTMLInputElement).checked).toBe(true);
    expect(((await toggle("Search alerts")) as HTMLInputElement).checked).toBe(false);
    expect(screen.getByText(/We always email you about what you book/)).toBeTruthy();
    expect(written()).toEqual([]);
  });

  it("saves a switch at once, and says when it could not", async () => {
    responses.set(GET, { body: SETTINGS });
    responses.set(PUT, {
      body: { ...SETTINGS, settings: SETTINGS.settings.map((setting) => ({ ...setting, isOn: false })) },
    });
    renderApp("/email-settings/t1");
    await userEvent.click(await toggle("Session reminders"));
    await expect.poll(() => written().map(({ body }) => body)).toEqual([{ kind: "reminders", isOn: false }]);
    await expect.poll(async () => ((await toggle("Session reminders")) as HTMLInputElement).checked).toBe(false);
    expect(document.activeElement).toBe(await toggle("Session reminders"));
    responses.set(PUT, {
      status: 503,
      body: { code: "unavailable", message: "Server error. Please try again later." },
    });
    await userEvent.click(await toggle("Search alerts"));
    expect(await screen.findByText("We couldn't save this. Server error. Please try again later.")).toBeTruthy();
    expect(((await toggle("Search alerts")) as HTMLInputElement).checked).toBe(false);
  });

  it("says when the link is for one kind only, and when it is unknown", async () => {
    responses.set(GET, { body: { settings: SETTINGS.settings.slice(0, 1), complete: false } });
    renderApp("/email-settings/t1");
    expect(await screen.findByRole("link", { name: "Sign in to see all of them" })).toBeTruthy();
    expect(screen.queryByText(/We always email you/)).toBeNull();
  });

  it("reads and saves the settings of the signed-in user without a token", async () => {
    responses.set("GET /api/email-settings", { body: SETTINGS });
    responses.set("PUT /api/email-settings", { body: SETTINGS });
    renderApp("/account/emails", ADA);
    await userEvent.click(await toggle("Session reminders"));
    await expect
      .poll(() => written().map(({ route, body }) => [route, body]))
      .toEqual([["PUT /api/email-settings", { kind: "reminders", isOn: false }]]);
  });

  it("explains an unknown link", async () => {
    responses.set(GET, { status: 404, body: { code: "not_found", message: "We couldn't find that." } });
    renderApp("/email-settings/t1");
    expect(await screen.findByRole("heading", { level: 1, name: "Link not found" })).toBeTruthy();
    expect(screen.getByText(/Please copy the whole link from the email/)).toBeTruthy();
  });
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import type { EmailSetting, EmailSettings } from "../api/get-email-settings";

const { responses, calls } = apiServer();
const setting = (kind: string, title: string, description: string, isOn: boolean): EmailSetting => ({
  kind,
  title,
  description,
  isOn,
  mail: isOn ? "now" : "never",
  mailOptions: ["now", "never"],
  push: true,
});
const SETTINGS: EmailSettings = {
  settings: [
    setting("reminders", "Session reminders", "Before a session.", true),
    setting("search_alerts", "Search alerts", "New results.", false),
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

  it("explains an unknown link", async () => {
    responses.set(GET, { status: 404, body: { code: "not_found", message: "We couldn't find that." } });
    renderApp("/email-settings/t1");
    expect(await screen.findByRole("heading", { level: 1, name: "Link not found" })).toBeTruthy();
    expect(screen.getByText(/Please copy the whole link from the email/)).toBeTruthy();
  });
});

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Device } from "../api/devices";
import type { Topic } from "../api/topics";

const { responses, calls } = apiServer();
const written = () => calls.filter(({ route }) => !route.startsWith("GET")).map(({ route, body }) => [route, body]);
const topic = (kind: string, title: string, changes: Partial<Topic> = {}): Topic => ({
  kind,
  title,
  description: `About ${title}.`,
  isOn: true,
  mail: "now",
  mailOptions: ["now", "daily", "never"],
  push: true,
  ...changes,
});
const TOPICS = [
  topic("agreement", "Sessions", { mailOptions: ["now"] }),
  topic("needs", "Requests near you", { push: false }),
  topic("digest", "Your digest", { mailOptions: ["now", "never"], push: null }),
];
const HOURS = { zone: "", digestAt: 480, quietFrom: null, quietUntil: null };
const PHONE: Device = {
  id: "d1",
  device: "Chrome on Android",
  endpointHash: "00",
  createdAt: new Date().toISOString(),
  lastOkAt: null,
};

beforeEach(() => {
  responses.set("GET /api/email-settings", { body: { settings: TOPICS, complete: true } });
  responses.set("GET /api/notification-hours", { body: HOURS });
  responses.set("GET /api/push-devices", { body: { publicKey: "key", devices: [PHONE] } });
});

describe("the settings of notifications", () => {
  it("shows each kind with its channels, and saves at once", async () => {
    responses.set("PUT /api/email-settings", ({ body }) => ({
      body: {
        settings: TOPICS.map((one) => (one.kind === "needs" ? { ...one, ...(body as Partial<Topic>) } : one)),
        complete: true,
      },
    }));
    responses.set("PUT /api/notification-hours", ({ body }) => ({ body }));
    renderApp("/settings/notifications", ADA);
    const mail = await screen.findByRole("combobox", { name: "Email: Requests near you" });
    expect(screen.queryByRole("combobox", { name: "Email: Sessions" })).toBeNull();
    expect(screen.getByText("Always")).toBeTruthy();
    expect(screen.queryByRole("switch", { name: "Devices: Your digest" })).toBeNull();
    await userEvent.selectOptions(mail, "Daily digest");
    await waitFor(() => expect(written()).toHaveLength(2));
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(written()).toContainEqual(["PUT /api/email-settings", { kind: "needs", mail: "daily" }]);
    expect(written()).toContainEqual(["PUT /api/notification-hours", { ...HOURS, zone }]);
    await userEvent.click(screen.getByRole("switch", { name: "Devices: Requests near you" }));
    await waitFor(() => expect(written().at(-1)).toEqual(["PUT /api/email-settings", { kind: "needs", push: true }]));
  });

  it("says when a change could not be saved", async () => {
    responses.set("PUT /api/email-settings", { status: 503, body: { code: "unavailable", message: "Try later." } });
    renderApp("/settings/notifications", ADA);
    await userEvent.click(await screen.findByRole("switch", { name: "Devices: Sessions" }));
    expect(await screen.findByText("We couldn't save this. Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("switch", { name: "Devices: Sessions" }).checked).toBe(true);
  });

  it("stores quiet hours by the clocks of the user, and keeps what was typed", async () => {
    responses.set("PUT /api/notification-hours", { status: 503, body: { code: "unavailable", message: "Try later." } });
    renderApp("/settings/notifications", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("checkbox", { name: "Quiet hours" }));
    const until = screen.getByLabelText("Quiet until");
    await user.clear(until);
    await user.type(until, "22:00");
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    expect(await screen.findByText("Choose two different times.")).toBeTruthy();
    expect(written()).toEqual([]);
    await user.clear(until);
    await user.type(until, "06:30");
    await user.click(screen.getByRole("button", { name: "Save hours" }));
    expect(await screen.findByText("We couldn't save this. Server error. Please try again later.")).toBeTruthy();
    expect((until as HTMLInputElement).value).toBe("06:30");
    expect(written().at(-1)?.[1]).toMatchObject({ digestAt: 480, quietFrom: 1320, quietUntil: 390 });
  });

  it("lists devices, tests and removes them, and explains a browser without notes", async () => {
    responses.set("PUT /api/push-devices/d1/test", { body: {} });
    responses.set("DELETE /api/push-devices/d1", { body: { publicKey: "key", devices: [] } });
    renderApp("/settings/notifications", ADA);
    expect(await screen.findByText(/This browser can't show notifications/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Turn on for this device" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Send a test to Chrome on Android" }));
    await waitFor(() => expect(written()).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Remove Chrome on Android" }));
    await waitFor(() => expect(screen.queryByText("Chrome on Android")).toBeNull());
  });

  it("says when a part could not be loaded", async () => {
    responses.set("GET /api/push-devices", { status: 503, body: { code: "unavailable", message: "Try later." } });
    renderApp("/settings/notifications", ADA);
    expect(await screen.findByText("We couldn't load your devices.")).toBeTruthy();
    expect(await screen.findByRole("switch", { name: "Devices: Sessions" })).toBeTruthy();
  });
});

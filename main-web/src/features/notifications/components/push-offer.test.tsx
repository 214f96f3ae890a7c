import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA } from "@/testing/render-app";
import { AppQueryClient } from "@/lib/query-client";
import { SessionContext, type SessionActions } from "@/lib/session/session-context";
import { PushOffer } from "./push-offer";

const { responses, calls } = apiServer();
const TEXT = "Get a note on this device before your session?";
const written = () => calls.filter(({ route }) => route.startsWith("PUT")).map(({ body }) => body);
const requestPermission = vi.fn(() => Promise.resolve("granted"));
const subscription = {
  endpoint: "https://push.example/1",
  options: { applicationServerKey: null },
  toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "key", auth: "secret" } }),
};
const subscribe = vi.fn(() => Promise.resolve(subscription));

beforeEach(() => {
  const registration = { pushManager: { getSubscription: () => Promise.resolve(null), subscribe } };
  vi.stubGlobal("PushManager", vi.fn());
  vi.stubGlobal("Notification", { permission: "default", requestPermission });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: () => Promise.resolve(registration) },
  });
  responses.set("GET /api/push-devices", { body: { publicKey: "server", devices: [] } });
  responses.set("PUT /api/push-devices", { body: { publicKey: "server", devices: [] } });
});
afterEach(() => {
  localStorage.clear();
  vi.clearAllMocks();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

function show() {
  const queries = new AppQueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={queries}>
      <SessionContext value={{ session: ADA, actions: {} as SessionActions }}>
        <PushOffer>{TEXT}</PushOffer>
      </SessionContext>
    </QueryClientProvider>,
  );
}

describe("the offer of notes on this device", () => {
  it("asks the browser only after a press, and registers the device", async () => {
    show();
    await screen.findByText(TEXT);
    expect(requestPermission).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Yes, please" }));
    expect(await screen.findByText("Done. We'll send a note to this device.")).toBeTruthy();
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "server" });
    expect(written()).toMatchObject([{ endpoint: "https://push.example/1", keys: { p256dh: "key", auth: "secret" } }]);
  });

  it("goes away for good when it is declined", async () => {
    const { unmount } = show();
    await userEvent.click(await screen.findByRole("button", { name: "No, thanks" }));
    expect(screen.queryByText(TEXT)).toBeNull();
    unmount();
    show();
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByText(TEXT)).toBeNull();
  });

  it("explains a browser that says no", async () => {
    requestPermission.mockResolvedValueOnce("denied");
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Yes, please" }));
    expect(await screen.findByText(/Your browser doesn't allow notifications/)).toBeTruthy();
    expect(written()).toEqual([]);
  });

  it("is silent where no notes can be sent", async () => {
    responses.set("GET /api/push-devices", { body: { publicKey: "", devices: [] } });
    show();
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByText(TEXT)).toBeNull();
  });
});

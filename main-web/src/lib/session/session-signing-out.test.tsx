import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { actions, sessionServer } from "@/testing/session-server";
import { api } from "../api-client";

const { responses, calls, fake, renderProvider, steps, lastCall, exchanges } = sessionServer();

describe("signing out", () => {
  it("ends the cookie session with a valid token", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    calls.length = 0;
    await act(() => actions.signOut());
    expect(screen.getByText("left")).toBeTruthy();
    expect(steps()[0]).toMatchObject({
      route: "DELETE /api/auth/session",
      headers: { authorization: "Bearer token-of-u1" },
    });
    expect(localStorage.getItem("porchlight.signed-in")).toBeNull();
    await api.GET("/skills/rings").catch(() => undefined);
    expect(lastCall("GET /api/skills/rings")).toBeTruthy();
    expect(lastCall("GET /api/skills/rings")?.headers.authorization).toBeUndefined();
  });

  it("fails while guru sites still know the user", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    responses.set("DELETE /api/auth/session", { status: 503 });
    await expect(act(() => actions.signOut())).rejects.toHaveProperty("status", 503);
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    expect(fake.identity.user).not.toBeNull();
    expect(localStorage.getItem("porchlight.signed-in")).not.toBeNull();
    responses.set("DELETE /api/auth/session", {});
    await act(() => actions.signOut());
    expect(screen.getByText("left")).toBeTruthy();
  });

  it("is noticed in other tabs", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(fake.identity.opened).toBe(1));
    act(() => fake.identity.setUser(null));
    expect(await screen.findByText("visitor")).toBeTruthy();
  });
});

describe("a session that ended elsewhere", () => {
  const rejection = { status: 401, body: { code: "unauthenticated", message: "no" } };

  async function signedIn() {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    calls.length = 0;
  }

  it("ends here once a request is rejected", async () => {
    await signedIn();
    responses.set("GET /api/skills/rings", rejection);
    responses.set("GET /api/auth/session", rejection);
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(screen.getByText("Your session has expired. Please sign in again.")).toBeTruthy();
    expect(steps().map((call) => call.route)).toContain("DELETE /api/auth/session");
    expect(fake.identity.user).toBeNull();
  });

  it("shows that staff disabled the account", async () => {
    await signedIn();
    const disabled = { status: 401, body: { code: "user_disabled", message: "no" } };
    responses.set("GET /api/skills/rings", disabled);
    responses.set("GET /api/auth/session", disabled);
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(await screen.findByText("This account has been disabled. Please contact support.")).toBeTruthy();
  });

  it("shows that the identity provider disabled the account", async () => {
    await signedIn();
    responses.set("GET /api/skills/rings", rejection);
    fake.identity.renewToken = () => Promise.reject(Object.assign(new Error("no"), { code: "auth/user-disabled" }));
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(await screen.findByText("This account has been disabled. Please contact support.")).toBeTruthy();
  });

  it("survives a 401 of one endpoint and server failures", async () => {
    await signedIn();
    responses.set("GET /api/skills/rings", rejection);
    responses.set("GET /api/auth/session", {});
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    fake.identity.renewToken = () =>
      Promise.reject(Object.assign(new Error("no"), { code: "auth/network-request-failed" }));
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("is checked while visible, and its cookie renewed", async () => {
    await signedIn();
    responses.set("GET /api/auth/session", {});
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      act(() => actions.prepare("password"));
      fake.identity.setUser({
        uid: "u9",
        email: "i@example.com",
        displayName: "Ida",
        photoURL: null,
        emailVerified: true,
      });
      expect(await screen.findByText("Ida")).toBeTruthy();
      vi.setSystemTime(Date.now() + 13 * 3_600_000);
      await act(() => vi.advanceTimersByTimeAsync(25_000));
    } finally {
      vi.useRealTimers();
    }
    await waitFor(() => expect(exchanges()).toHaveLength(1));
    expect(steps().filter((call) => call.route === "GET /api/auth/session")).toHaveLength(1);
  });
});

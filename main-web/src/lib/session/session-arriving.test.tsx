import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sessionServer } from "@/testing/session-server";
import { api, setTokenSource } from "../api-client";

const { responses, calls, fake, renderProvider, steps, lastCall, exchanges } = sessionServer();

describe("arriving", () => {
  it("loads no identity provider for new visitors", () => {
    renderProvider();
    expect(screen.getByText("visitor")).toBeTruthy();
    expect(fake.identity.opened).toBe(0);
  });

  it("waits for the first check, then renews an old cookie", async () => {
    localStorage.setItem("porchlight.signed-in", "1");
    await fake.identity.signIn("ada@example.com", "secret1");
    renderProvider();
    expect(screen.getByText("Loading your skill-sharing platform...")).toBeTruthy();
    expect(screen.queryByText("visitor")).toBeNull();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
    await waitFor(() => expect(exchanges()).toHaveLength(1));
  });

  it("keeps a fresh cookie", async () => {
    localStorage.setItem("porchlight.signed-in", String(Date.now()));
    await fake.identity.signIn("ada@example.com", "secret1");
    renderProvider();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
    await waitFor(() => expect(calls.map((call) => call.route)).toContain("GET /api/auth/profile"));
    expect(steps()).toEqual([]);
  });

  it("forgets a user whose session is over", async () => {
    localStorage.setItem("porchlight.signed-in", "1");
    renderProvider();
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(localStorage.getItem("porchlight.signed-in")).toBeNull();
  });

  it("shows an error and keeps the user if the check fails", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    localStorage.setItem("porchlight.signed-in", "1");
    renderProvider(() => Promise.reject(new Error("boom")));
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(await screen.findByText("Authentication error. Please refresh the page.")).toBeTruthy();
    expect(localStorage.getItem("porchlight.signed-in")).toBe("1");
  });
});

describe("arriving with a remembered user", () => {
  const ada = { uid: "u1", email: "ada@example.com", displayName: "Ada Lovelace", photoURL: null, emailVerified: true };
  const rejection = { status: 401, body: { code: "unauthenticated", message: "no" } };

  beforeEach(() => {
    localStorage.setItem("porchlight.signed-in", String(Date.now()));
    localStorage.setItem("porchlight.user", JSON.stringify(ada));
    setTokenSource(() => Promise.resolve(null));
  });

  it("shows the user at once, by the cookie, without the identity provider", async () => {
    renderProvider();
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    await waitFor(() => expect(lastCall("GET /api/auth/profile")).toBeTruthy());
    expect(lastCall("GET /api/auth/profile")?.headers.authorization).toBeUndefined();
    expect(fake.identity.opened).toBe(0);
  });

  it("loads the identity provider once the page stands", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      fake.identity.user = { ...ada, displayName: "Ada King" };
      renderProvider();
      await act(() => vi.advanceTimersByTimeAsync(4_000));
    } finally {
      vi.useRealTimers();
    }
    expect(await screen.findByText("Ada King")).toBeTruthy();
    expect(localStorage.getItem("porchlight.user")).toContain("Ada King");
  });

  it("loads the identity provider when the cookie is rejected", async () => {
    fake.identity.user = ada;
    responses.set("GET /api/skills/rings", (call) => (call.headers.authorization ? { body: "seen" } : rejection));
    responses.set("GET /api/auth/session", {});
    renderProvider();
    await expect(api.GET("/skills/rings")).resolves.toBe("seen");
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("forgets a user whose session is over", async () => {
    responses.set("GET /api/skills/rings", rejection);
    renderProvider();
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(localStorage.getItem("porchlight.user")).toBeNull();
  });

  it.each([
    ["ended", rejection, "Your session has expired. Please sign in again."],
    ["is unknown to the provider only", {}, "Your session has expired. Please sign in again."],
    [
      "was ended by staff",
      { status: 401, body: { code: "user_disabled" } },
      "This account has been disabled. Please contact support.",
    ],
    ["was checked too often", { status: 429 }, "Too many authentication attempts. Please try again later."],
    ["cannot be checked", { status: 503 }, "Authentication error. Please refresh the page."],
  ])("says so when the session %s", async (_, answer, text) => {
    responses.set("GET /api/skills/rings", rejection);
    responses.set("GET /api/auth/session", answer);
    renderProvider();
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText("visitor")).toBeTruthy();
  });

  it("keeps the user while the identity provider cannot be loaded", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    responses.set("GET /api/skills/rings", rejection);
    renderProvider(() => Promise.reject(new Error("offline")));
    await act(() => api.GET("/skills/rings").catch(() => undefined));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("waits for the first check when the cookie has expired", async () => {
    localStorage.setItem("porchlight.signed-in", String(Date.now() - 15 * 86_400_000));
    fake.identity.user = ada;
    renderProvider();
    expect(screen.getByText("Loading your skill-sharing platform...")).toBeTruthy();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
  });
});

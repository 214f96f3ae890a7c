import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { actions, sessionServer } from "@/testing/session-server";
import { api } from "../api-client";

const { responses, calls, fake, renderProvider, steps, lastCall, exchanges } = sessionServer();

describe("signing in", () => {
  it("exchanges the token for the cookie and authenticates API requests", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    expect(steps()[0]).toMatchObject({ route: "POST /api/auth/session", body: { idToken: "token-of-u1" } });
    await api.GET("/skills/rings").catch(() => undefined);
    expect(lastCall("GET /api/skills/rings")?.headers.authorization).toBe("Bearer token-of-u1");
  });

  it("changes nothing after a wrong password", async () => {
    renderProvider();
    await expect(act(() => actions.signIn("ada@example.com", "wrong"))).rejects.toHaveProperty(
      "code",
      "auth/wrong-password",
    );
    expect(screen.getByText("visitor")).toBeTruthy();
    expect(steps()).toEqual([]);
    expect(localStorage.getItem("porchlight.signed-in")).toBeNull();
  });

  it("succeeds without the cookie, and retries on the next visit", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    responses.set("POST /api/auth/session", { status: 503 });
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    await act(() => Promise.resolve());
    expect(warn).toHaveBeenCalledOnce();
    expect(exchanges()).toHaveLength(1);
    expect(localStorage.getItem("porchlight.signed-in")).toBe("0");
  });

  it("registers Google users with their photo", async () => {
    renderProvider();
    await act(() => actions.signInWithGoogle());
    expect(screen.getByText("Grace")).toBeTruthy();
    expect(steps()[0]).toMatchObject({
      route: "POST /api/auth/register",
      headers: { authorization: "Bearer token-of-u3" },
      body: {
        email: "g@example.com",
        displayName: "Grace",
        photoURL: "https://p.example/g.png",
        skills: { offered: [], wanted: [] },
        location: "",
      },
    });
  });
});

describe("signing in with a code", () => {
  const USE = "POST /api/auth/codes/c1/sign-in";

  it("exchanges the digits, signs in with the token, and tells a new account", async () => {
    responses.set(USE, { body: { token: "token-of-code", isNew: true } });
    renderProvider();
    await expect(act(() => actions.signInWithCode({ id: "c1", digits: "123456" }))).resolves.toEqual({ isNew: true });
    expect(lastCall(USE)?.body).toEqual({ code: "123456" });
    expect(exchanges()[0]).toMatchObject({ body: { idToken: "token-of-u4" } });
    expect(steps().map(({ route }) => route)).not.toContain("POST /api/auth/register");
  });

  it("changes nothing after wrong digits", async () => {
    responses.set(USE, { status: 422, body: { code: "validation_failed", message: "No.", fields: { code: "No." } } });
    renderProvider();
    const attempt = act(() => actions.signInWithCode({ id: "c1", digits: "123456" }));
    await expect(attempt).rejects.toHaveProperty("status", 422);
    expect(screen.getByText("visitor")).toBeTruthy();
    expect(exchanges()).toEqual([]);
  });

  it("shows that it is the user, where there is no password", async () => {
    responses.set(USE, { body: { token: "token-of-code", isNew: false } });
    responses.set("POST /api/auth/email-change", { status: 202 });
    renderProvider();
    await act(() => actions.signInWithCode({ id: "c1", digits: "123456" }));
    await act(() => actions.changeEmail({ id: "c1", digits: "654321" }, "other@example.com"));
    expect(lastCall(USE)?.body).toEqual({ code: "654321" });
    expect(fake.identity.requested).toEqual(["other@example.com"]);
  });
});

describe("a registration that failed", () => {
  const names = () =>
    calls
      .filter((call) => call.route === "POST /api/auth/register")
      .map((call) => (call.body as { displayName: string }).displayName);

  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    responses.set("GET /api/auth/profile", { body: { displayName: "" } });
  });

  it("is sent again at the next sign-in", async () => {
    responses.set("POST /api/auth/register", { status: 503 });
    renderProvider();
    await act(() =>
      actions.signUp({ firstName: "Ida", lastName: "Berg", email: "ida@example.com", password: "secret1" }),
    );
    await waitFor(() => expect(names()).toHaveLength(2)); // once more as soon as the profile shows the gap
    await act(() => actions.signOut());
    responses.set("POST /api/auth/register", { status: 201 });
    const ida = { uid: "u2", email: "ida@example.com", displayName: "", photoURL: null, emailVerified: false };
    fake.identity.signIn = () => Promise.resolve(ida);
    await act(() => actions.signIn("ida@example.com", "secret1"));
    await waitFor(() => expect(names()).toHaveLength(3));
    expect(lastCall("POST /api/auth/register")?.body).toMatchObject({ displayName: "Ida Berg", firstName: "Ida" });
  });

  it("is sent by another browser with the provider's name", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(names()).toEqual(["Ada Lovelace"]));
  });

  it("is not sent for a profile that has a name", async () => {
    responses.set("GET /api/auth/profile", { body: { displayName: "Ada" } });
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(calls.map((call) => call.route)).toContain("GET /api/auth/profile"));
    await act(() => actions.signOut()); // a registration would have been sent before
    expect(names()).toEqual([]);
  });
});

describe("signing up", () => {
  const person = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", password: "secret1" };

  it("joins the names, registers, and marks the user as new", async () => {
    localStorage.setItem("porchlight.location", "Denver, Colorado");
    renderProvider();
    await act(() => actions.signUp(person));
    expect(await screen.findByText("Ada Lovelace, new")).toBeTruthy();
    expect(steps().map((call) => call.route)).toEqual(["POST /api/auth/register", "POST /api/auth/session"]);
    expect(steps()[0]?.body).toEqual({
      email: "ada@example.com",
      displayName: "Ada Lovelace",
      firstName: "Ada",
      lastName: "Lovelace",
      skills: { offered: [], wanted: [] },
      location: "Denver, Colorado",
    });
  });

  it("continues after a failed registration with a warning", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    responses.set("POST /api/auth/register", { status: 500 });
    renderProvider();
    await act(() => actions.signUp(person));
    expect(await screen.findByText("Ada Lovelace, new")).toBeTruthy();
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe("without a configured identity provider", () => {
  it("rejects every sign-in with SPEC's message", async () => {
    renderProvider(() => Promise.resolve(null));
    const general = "Authentication features are currently unavailable. Please configure Firebase to enable login.";
    const google =
      "Google Sign-in is currently unavailable. Please configure Firebase with Google Auth to enable this feature.";
    const person = { firstName: "A", lastName: "B", email: "a@b.co", password: "secret1" };
    await expect(actions.signIn("a@b.co", "secret1")).rejects.toThrow(general);
    await expect(actions.signUp(person)).rejects.toThrow(general);
    await expect(actions.sendPasswordReset("a@b.co")).rejects.toThrow(general);
    await expect(actions.signInWithGoogle()).rejects.toThrow(google);
    expect(screen.getByText("visitor")).toBeTruthy();
  });
});

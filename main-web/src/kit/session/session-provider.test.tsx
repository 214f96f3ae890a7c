import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "../../testing/api-server";
import { Toaster } from "../../ui/toaster";
import { api } from "../api";
import type { Identity } from "./identity";
import { useSession, useSessionActions, type SessionActions, type SignedInUser } from "./session-context";
import { SessionProvider } from "./session-provider";

const { answers, calls } = apiServer();

/** An identity service in memory: one known person, and the state it would keep in the browser. */
class Twin implements Identity {
  opened = 0;
  user: SignedInUser | null = null;
  private listeners = new Set<(user: SignedInUser | null) => void>();

  open = () => {
    this.opened += 1;
    return Promise.resolve(this as Identity);
  };
  watch = (onUser: (user: SignedInUser | null) => void) => {
    this.listeners.add(onUser);
    queueMicrotask(() => onUser(this.user));
    return () => void this.listeners.delete(onUser);
  };
  become = (user: SignedInUser | null) => {
    this.user = user;
    for (const tell of this.listeners) tell(user);
  };
  signIn = async (email: string, password: string) => {
    if (password !== "secret1") throw Object.assign(new Error("no"), { code: "auth/wrong-password" });
    this.become({ uid: "u1", email, displayName: "Ada Lovelace", photoURL: null, emailVerified: true });
    return this.user as unknown as SignedInUser;
  };
  signUp = async (email: string, _password: string, displayName: string) => {
    // As the real one does: the listener hears of the account before it has a name.
    this.become({ uid: "u2", email, displayName: "", photoURL: null, emailVerified: false });
    const named = { uid: "u2", email, displayName, photoURL: null, emailVerified: false };
    this.user = named;
    return named;
  };
  preparePopup = () => Promise.resolve();
  signInWithGoogle = async () => {
    const user = { uid: "u3", email: "g@example.com", displayName: "Grace", photoURL: "https://p.example/g.png", emailVerified: true };
    this.become(user);
    return user;
  };
  signOut = async () => this.become(null);
  sendPasswordReset = () => Promise.resolve();
  applyMailCode = () => Promise.resolve();
  setForgottenPassword = () => Promise.resolve();
  resendVerification = () => Promise.resolve();
  refresh = () => Promise.resolve(this.user);
  confirm = (password: string | null) =>
    password === "secret1" ? Promise.resolve() : Promise.reject(Object.assign(new Error("no"), { code: "auth/wrong-password" }));
  asked: string[] = [];
  changeEmail = (email: string) => {
    this.asked.push(email);
    return Promise.resolve();
  };
  changePassword = () => Promise.resolve();
  renewToken = () => this.getToken();
  getToken = () => Promise.resolve(this.user && `token-of-${this.user.uid}`);
}

let twin: Twin;
const held: { actions?: SessionActions } = {};
const actions = new Proxy({} as SessionActions, {
  get: (_target, name: keyof SessionActions) => held.actions?.[name],
});

function Show() {
  const session = useSession();
  const offered = useSessionActions();
  useEffect(() => void (held.actions = offered), [offered]);
  if (session.status !== "signed-in") return <p>{session.status === "signed-out" && session.left ? "left" : "visitor"}</p>;
  return <p>{`${session.user.displayName || "nameless"}${session.isNew ? ", new" : ""}`}</p>;
}

function start(open: (queries: QueryClient) => Promise<Identity | null> = twin.open) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider openIdentity={open}>
        <Show />
      </SessionProvider>
      <Toaster />
    </QueryClientProvider>,
  );
}

// Fetching the profile goes on beside the steps of signing in, and may outlast a test.
const steps = () => calls.filter((call) => call.route !== "GET /api/auth/profile");
const exchanges = () => calls.filter((call) => call.route === "POST /api/auth/session");

beforeEach(() => {
  twin = new Twin();
  answers.set("POST /api/auth/session", {});
  answers.set("DELETE /api/auth/session", {});
  answers.set("POST /api/auth/register", { status: 201 });
});

describe("arriving", () => {
  it("as a visitor who never signed in shows the page at once and loads no identity service", () => {
    start();
    expect(screen.getByText("visitor")).toBeTruthy();
    expect(twin.opened).toBe(0);
  });

  it("as someone signed in waits for the first check, then renews an old cookie", async () => {
    localStorage.setItem("porchlight.signed-in", "1");
    await twin.signIn("ada@example.com", "secret1");
    start();
    expect(screen.getByText("Loading your skill-sharing platform...")).toBeTruthy();
    expect(screen.queryByText("visitor")).toBeNull();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
    await waitFor(() => expect(exchanges()).toHaveLength(1));
  });

  it("leaves a fresh cookie alone", async () => {
    localStorage.setItem("porchlight.signed-in", String(Date.now()));
    await twin.signIn("ada@example.com", "secret1");
    start();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
    await waitFor(() => expect(calls.map((call) => call.route)).toContain("GET /api/auth/profile"));
    expect(steps()).toEqual([]);
  });

  it("as someone whose session is over is a visitor, and is forgotten", async () => {
    localStorage.setItem("porchlight.signed-in", "1");
    start();
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(localStorage.getItem("porchlight.signed-in")).toBeNull();
  });

  it("while the check fails is a visitor, told why, and not forgotten", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    localStorage.setItem("porchlight.signed-in", "1");
    start(() => Promise.reject(new Error("boom")));
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(await screen.findByText("Authentication error. Please refresh the page.")).toBeTruthy();
    expect(localStorage.getItem("porchlight.signed-in")).toBe("1");
  });
});

describe("signing in", () => {
  it("exchanges the token for the cookie, and lends it to API calls", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    expect(steps()[0]).toMatchObject({ route: "POST /api/auth/session", body: { idToken: "token-of-u1" } });
    await api.get("/anything").catch(() => undefined);
    expect(calls.at(-1)?.headers.authorization).toBe("Bearer token-of-u1");
  });

  it("with a wrong password changes nothing", async () => {
    start();
    await expect(act(() => actions.signIn("ada@example.com", "wrong"))).rejects.toHaveProperty("code", "auth/wrong-password");
    expect(screen.getByText("visitor")).toBeTruthy();
    expect(steps()).toEqual([]);
    expect(localStorage.getItem("porchlight.signed-in")).toBeNull();
  });

  it("succeeds even if the cookie cannot be had, and asks for it again on the next arrival", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    answers.set("POST /api/auth/session", { status: 503 });
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    await act(() => Promise.resolve());
    expect(warn).toHaveBeenCalledOnce();
    expect(exchanges()).toHaveLength(1);
    expect(localStorage.getItem("porchlight.signed-in")).toBe("0");
  });

  it("with Google registers the person with their photo", async () => {
    start();
    await act(() => actions.signInWithGoogle());
    expect(screen.getByText("Grace")).toBeTruthy();
    expect(calls[0]).toMatchObject({
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

describe("a session that ended elsewhere", () => {
  const refused = { status: 401, body: { code: "unauthenticated", message: "no" } };

  async function signedIn() {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    calls.length = 0;
  }

  it("is over here too as soon as a call is refused, and says so", async () => {
    await signedIn();
    answers.set("GET /api/anything", refused);
    answers.set("GET /api/auth/session", refused);
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(screen.getByText("Your session has ended. Please sign in again.")).toBeTruthy();
    expect(steps().map((call) => call.route)).toContain("DELETE /api/auth/session");
    expect(twin.user).toBeNull();
  });

  it("says why when staff disabled the account", async () => {
    await signedIn();
    const disabled = { status: 401, body: { code: "user_disabled", message: "no" } };
    answers.set("GET /api/anything", disabled);
    answers.set("GET /api/auth/session", disabled);
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText("This account has been disabled. Please contact support.")).toBeTruthy();
  });

  it("says why when the identity service disabled it", async () => {
    await signedIn();
    answers.set("GET /api/anything", refused);
    twin.renewToken = () => Promise.reject(Object.assign(new Error("no"), { code: "auth/user-disabled" }));
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText("This account has been disabled. Please contact support.")).toBeTruthy();
  });

  it("is not over because one call wants more than a sign-in, nor because nobody answers", async () => {
    await signedIn();
    answers.set("GET /api/anything", refused);
    answers.set("GET /api/auth/session", {});
    await act(() => api.get("/anything").catch(() => undefined));
    twin.renewToken = () => Promise.reject(Object.assign(new Error("no"), { code: "auth/network-request-failed" }));
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await act(() => api.get("/anything").catch(() => undefined));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("is looked after while the page is seen, and its cookie renewed on a long visit", async () => {
    await signedIn();
    answers.set("GET /api/auth/session", {});
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      act(() => actions.prepare("password"));
      twin.become({ uid: "u9", email: "i@example.com", displayName: "Ida", photoURL: null, emailVerified: true });
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

describe("signing up", () => {
  const person = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", password: "secret1" };

  it("joins the names, registers, and shows the person as new, never nameless", async () => {
    localStorage.setItem("porchlight.location", "Denver, Colorado");
    start();
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

  it("is not blocked by a failed registration, which is only warned about", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    answers.set("POST /api/auth/register", { status: 500 });
    start();
    await act(() => actions.signUp(person));
    expect(await screen.findByText("Ada Lovelace, new")).toBeTruthy();
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe("signing out", () => {
  it("ends the cookie session while the token still counts, and forgets the person", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    calls.length = 0;
    await act(() => actions.signOut());
    expect(screen.getByText("left")).toBeTruthy();
    expect(steps()[0]).toMatchObject({ route: "DELETE /api/auth/session", headers: { authorization: "Bearer token-of-u1" } });
    expect(localStorage.getItem("porchlight.signed-in")).toBeNull();
    await api.get("/anything").catch(() => undefined);
    expect(calls.at(-1)?.headers.authorization).toBeUndefined();
  });

  it("in another tab is noticed here", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(twin.opened).toBe(1));
    act(() => twin.become(null));
    expect(await screen.findByText("visitor")).toBeTruthy();
  });
});

describe("when the identity service is not configured", () => {
  it("every way in is refused with SPEC's words", async () => {
    start(() => Promise.resolve(null));
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

describe("the account", () => {
  it("is asked for its profile after each sign-in, as the person signed in", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(calls.at(-1)?.route).toBe("GET /api/auth/profile"));
    expect(calls.at(-1)?.headers.authorization).toBe("Bearer token-of-u1");
  });

  it("is signed out here only after it was everywhere", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    answers.set("DELETE /api/auth/sessions", { status: 503 });
    await expect(act(() => actions.signOutEverywhere())).rejects.toHaveProperty("status", 503);
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    answers.set("DELETE /api/auth/sessions", {});
    await act(() => actions.signOutEverywhere());
    expect(screen.getByText("left")).toBeTruthy();
  });

  it("asks the server first and the identity service then for another address", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await expect(act(() => actions.changeEmail("wrong", "new@example.com"))).rejects.toHaveProperty("code", "auth/wrong-password");
    answers.set("POST /api/auth/email-change", { status: 403, body: { code: "sign_in_again", message: "Please sign in again." } });
    await expect(act(() => actions.changeEmail("secret1", "new@example.com"))).rejects.toHaveProperty("status", 403);
    expect(twin.asked).toEqual([]);
    answers.set("POST /api/auth/email-change", { status: 202 });
    await act(() => actions.changeEmail("secret1", "new@example.com"));
    expect(calls.at(-1)).toMatchObject({ route: "POST /api/auth/email-change", body: { email: "new@example.com" } });
    expect(twin.asked).toEqual(["new@example.com"]);
  });

  it("is signed out here by the link that gave it another address", async () => {
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    twin.refresh = () => Promise.reject(Object.assign(new Error("over"), { code: "auth/user-token-expired" }));
    await act(() => actions.applyMailCode("code"));
    expect(screen.getByText("left")).toBeTruthy();
    expect(calls.map((call) => call.route)).toContain("DELETE /api/auth/session");
  });

  it("is deleted only for who knows the password", async () => {
    answers.set("DELETE /api/auth/account", {});
    start();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await expect(act(() => actions.deleteAccount("wrong"))).rejects.toHaveProperty("code", "auth/wrong-password");
    expect(calls.map((call) => call.route)).not.toContain("DELETE /api/auth/account");
    await act(() => actions.deleteAccount("secret1"));
    expect(calls.map((call) => call.route)).toContain("DELETE /api/auth/account");
    expect(screen.getByText("left")).toBeTruthy();
  });
});

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { FakeIdentity } from "@/testing/fake-identity";
import { Splash } from "@/components/ui/splash";
import { Toaster } from "@/components/ui/toaster";
import { api, setTokenSource } from "../api-client";
import type { Identity } from "./identity";
import { useSession, useSessionActions, type SessionActions } from "./session-context";
import { SessionProvider } from "./session-provider";

const { responses, calls } = apiServer();

let identity: FakeIdentity;
const holder: { actions?: SessionActions } = {};
const actions = new Proxy({} as SessionActions, {
  get: (_target, name: keyof SessionActions) => holder.actions?.[name],
});

function Show() {
  const session = useSession();
  const sessionActions = useSessionActions();
  useEffect(() => void (holder.actions = sessionActions), [sessionActions]);
  if (session.status !== "signed-in")
    return <p>{session.status === "signed-out" && session.byUser ? "left" : "visitor"}</p>;
  return <p>{`${session.user.displayName || "nameless"}${session.isNew ? ", new" : ""}`}</p>;
}

function renderProvider(open: (queries: QueryClient) => Promise<Identity | null> = identity.open) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  onTestFinished(() => queries.clear());
  render(
    <QueryClientProvider client={queries}>
      <SessionProvider fallback={<Splash />} openIdentity={open}>
        <Show />
      </SessionProvider>
      <Toaster />
    </QueryClientProvider>,
  );
}

// The profile loads in parallel and may outlast a test.
const steps = () => calls.filter((call) => call.route !== "GET /api/auth/profile");
/** The last request of a route. Others, such as the profile's, may arrive after it. */
const lastCall = (route: string) => calls.findLast((call) => call.route === route);
const exchanges = () => calls.filter((call) => call.route === "POST /api/auth/session");

beforeEach(() => {
  identity = new FakeIdentity();
  responses.set("POST /api/auth/session", {});
  responses.set("DELETE /api/auth/session", {});
  responses.set("POST /api/auth/register", { status: 201 });
});

describe("arriving", () => {
  it("loads no identity provider for new visitors", () => {
    renderProvider();
    expect(screen.getByText("visitor")).toBeTruthy();
    expect(identity.opened).toBe(0);
  });

  it("waits for the first check, then renews an old cookie", async () => {
    localStorage.setItem("porchlight.signed-in", "1");
    await identity.signIn("ada@example.com", "secret1");
    renderProvider();
    expect(screen.getByText("Loading your skill-sharing platform...")).toBeTruthy();
    expect(screen.queryByText("visitor")).toBeNull();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
    await waitFor(() => expect(exchanges()).toHaveLength(1));
  });

  it("keeps a fresh cookie", async () => {
    localStorage.setItem("porchlight.signed-in", String(Date.now()));
    await identity.signIn("ada@example.com", "secret1");
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
    expect(identity.opened).toBe(0);
  });

  it("loads the identity provider once the page stands", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      identity.user = { ...ada, displayName: "Ada King" };
      renderProvider();
      await act(() => vi.advanceTimersByTimeAsync(4_000));
    } finally {
      vi.useRealTimers();
    }
    expect(await screen.findByText("Ada King")).toBeTruthy();
    expect(localStorage.getItem("porchlight.user")).toContain("Ada King");
  });

  it("loads the identity provider when the cookie is rejected", async () => {
    identity.user = ada;
    responses.set("GET /api/anything", (call) => (call.headers.authorization ? { body: "seen" } : rejection));
    responses.set("GET /api/auth/session", {});
    renderProvider();
    await expect(api.get("/anything")).resolves.toBe("seen");
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("forgets a user whose session is over", async () => {
    responses.set("GET /api/anything", rejection);
    renderProvider();
    await act(() => api.get("/anything").catch(() => undefined));
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
    responses.set("GET /api/anything", rejection);
    responses.set("GET /api/auth/session", answer);
    renderProvider();
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText("visitor")).toBeTruthy();
  });

  it("keeps the user while the identity provider cannot be loaded", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    responses.set("GET /api/anything", rejection);
    renderProvider(() => Promise.reject(new Error("offline")));
    await act(() => api.get("/anything").catch(() => undefined));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("waits for the first check when the cookie has expired", async () => {
    localStorage.setItem("porchlight.signed-in", String(Date.now() - 15 * 86_400_000));
    identity.user = ada;
    renderProvider();
    expect(screen.getByText("Loading your skill-sharing platform...")).toBeTruthy();
    expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
  });
});

describe("signing in", () => {
  it("exchanges the token for the cookie and authenticates API requests", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    expect(steps()[0]).toMatchObject({ route: "POST /api/auth/session", body: { idToken: "token-of-u1" } });
    await api.get("/anything").catch(() => undefined);
    expect(lastCall("GET /api/anything")?.headers.authorization).toBe("Bearer token-of-u1");
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

describe("a registration that failed", () => {
  const names = () =>
    calls
      .filter((call) => call.route === "POST /api/auth/register")
      .map((call) => (call.body as { displayName: string }).displayName);

  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    responses.set("GET /api/auth/profile", { body: { displayName: "" } });
  });

  it("is made up for at the next sign-in", async () => {
    responses.set("POST /api/auth/register", { status: 503 });
    renderProvider();
    await act(() =>
      actions.signUp({ firstName: "Ida", lastName: "Berg", email: "ida@example.com", password: "secret1" }),
    );
    await waitFor(() => expect(names()).toHaveLength(2)); // once more as soon as the profile shows the gap
    await act(() => actions.signOut());
    responses.set("POST /api/auth/register", { status: 201 });
    const ida = { uid: "u2", email: "ida@example.com", displayName: "", photoURL: null, emailVerified: false };
    identity.signIn = () => Promise.resolve(ida);
    await act(() => actions.signIn("ida@example.com", "secret1"));
    await waitFor(() => expect(names()).toHaveLength(3));
    expect(lastCall("POST /api/auth/register")?.body).toMatchObject({ displayName: "Ida Berg", firstName: "Ida" });
  });

  it("is made up for in another browser with the provider's name", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(names()).toEqual(["Ada Lovelace"]));
  });

  it("is not sent for a profile that has a name", async () => {
    responses.set("GET /api/auth/profile", { body: { displayName: "Ada" } });
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(calls.map((call) => call.route)).toContain("GET /api/auth/profile"));
    expect(names()).toEqual([]);
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
    responses.set("GET /api/anything", rejection);
    responses.set("GET /api/auth/session", rejection);
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText("visitor")).toBeTruthy();
    expect(screen.getByText("Your session has expired. Please sign in again.")).toBeTruthy();
    expect(steps().map((call) => call.route)).toContain("DELETE /api/auth/session");
    expect(identity.user).toBeNull();
  });

  it("shows that staff disabled the account", async () => {
    await signedIn();
    const disabled = { status: 401, body: { code: "user_disabled", message: "no" } };
    responses.set("GET /api/anything", disabled);
    responses.set("GET /api/auth/session", disabled);
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText("This account has been disabled. Please contact support.")).toBeTruthy();
  });

  it("shows that the identity provider disabled the account", async () => {
    await signedIn();
    responses.set("GET /api/anything", rejection);
    identity.renewToken = () => Promise.reject(Object.assign(new Error("no"), { code: "auth/user-disabled" }));
    await act(() => api.get("/anything").catch(() => undefined));
    expect(await screen.findByText("This account has been disabled. Please contact support.")).toBeTruthy();
  });

  it("survives a 401 of one endpoint and server failures", async () => {
    await signedIn();
    responses.set("GET /api/anything", rejection);
    responses.set("GET /api/auth/session", {});
    await act(() => api.get("/anything").catch(() => undefined));
    identity.renewToken = () => Promise.reject(Object.assign(new Error("no"), { code: "auth/network-request-failed" }));
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await act(() => api.get("/anything").catch(() => undefined));
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
  });

  it("is checked while visible, and its cookie renewed", async () => {
    await signedIn();
    responses.set("GET /api/auth/session", {});
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      act(() => actions.prepare("password"));
      identity.setUser({ uid: "u9", email: "i@example.com", displayName: "Ida", photoURL: null, emailVerified: true });
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
    await api.get("/anything").catch(() => undefined);
    expect(lastCall("GET /api/anything")).toBeTruthy();
    expect(lastCall("GET /api/anything")?.headers.authorization).toBeUndefined();
  });

  it("fails while guru sites still know the user", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    responses.set("DELETE /api/auth/session", { status: 503 });
    await expect(act(() => actions.signOut())).rejects.toHaveProperty("status", 503);
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    expect(identity.user).not.toBeNull();
    expect(localStorage.getItem("porchlight.signed-in")).not.toBeNull();
    responses.set("DELETE /api/auth/session", {});
    await act(() => actions.signOut());
    expect(screen.getByText("left")).toBeTruthy();
  });

  it("is noticed in other tabs", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(identity.opened).toBe(1));
    act(() => identity.setUser(null));
    expect(await screen.findByText("visitor")).toBeTruthy();
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

describe("the account", () => {
  it("loads its profile after each sign-in", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await waitFor(() => expect(lastCall("GET /api/auth/profile")).toBeTruthy());
    expect(lastCall("GET /api/auth/profile")?.headers.authorization).toBe("Bearer token-of-u1");
  });

  it("is signed out here only after everywhere else", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    responses.set("DELETE /api/auth/sessions", { status: 503 });
    await expect(act(() => actions.signOutEverywhere())).rejects.toHaveProperty("status", 503);
    expect(screen.getByText("Ada Lovelace")).toBeTruthy();
    responses.set("DELETE /api/auth/sessions", {});
    await act(() => actions.signOutEverywhere());
    expect(screen.getByText("left")).toBeTruthy();
  });

  it("asks the server, then the provider, for another address", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await expect(act(() => actions.changeEmail("wrong", "new@example.com"))).rejects.toHaveProperty(
      "code",
      "auth/wrong-password",
    );
    responses.set("POST /api/auth/email-change", {
      status: 403,
      body: { code: "sign_in_again", message: "Please sign in again." },
    });
    await expect(act(() => actions.changeEmail("secret1", "new@example.com"))).rejects.toHaveProperty("status", 403);
    expect(identity.requested).toEqual([]);
    responses.set("POST /api/auth/email-change", { status: 202 });
    await act(() => actions.changeEmail("secret1", "new@example.com"));
    expect(lastCall("POST /api/auth/email-change")?.body).toEqual({ email: "new@example.com" });
    expect(identity.requested).toEqual(["new@example.com"]);
  });

  it("is signed out by the link that changed its address", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    identity.refresh = () => Promise.reject(Object.assign(new Error("over"), { code: "auth/user-token-expired" }));
    await act(() => actions.applyMailCode("code"));
    expect(screen.getByText("left")).toBeTruthy();
    expect(calls.map((call) => call.route)).toContain("DELETE /api/auth/session");
  });

  it("is deleted only with the password", async () => {
    responses.set("DELETE /api/auth/account", {});
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    await expect(act(() => actions.deleteAccount("wrong"))).rejects.toHaveProperty("code", "auth/wrong-password");
    expect(calls.map((call) => call.route)).not.toContain("DELETE /api/auth/account");
    await act(() => actions.deleteAccount("secret1"));
    expect(calls.map((call) => call.route)).toContain("DELETE /api/auth/account");
    expect(screen.getByText("left")).toBeTruthy();
  });
});

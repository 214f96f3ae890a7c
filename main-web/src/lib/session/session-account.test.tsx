import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { actions, sessionServer } from "@/testing/session-server";

const { responses, calls, fake, renderProvider, lastCall } = sessionServer();

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
    expect(fake.identity.requested).toEqual([]);
    responses.set("POST /api/auth/email-change", { status: 202 });
    await act(() => actions.changeEmail("secret1", "new@example.com"));
    expect(lastCall("POST /api/auth/email-change")?.body).toEqual({ email: "new@example.com" });
    expect(fake.identity.requested).toEqual(["new@example.com"]);
  });

  it("is signed out by the link that changed its address", async () => {
    renderProvider();
    await act(() => actions.signIn("ada@example.com", "secret1"));
    fake.identity.refresh = () => Promise.reject(Object.assign(new Error("over"), { code: "auth/user-token-expired" }));
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

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";

apiServer();

const firebaseError = (code: string) => Object.assign(new Error("Firebase: words"), { code: `auth/${code}` });
const field = (name: string) => screen.getByLabelText(name, { selector: "input" });

describe("login", () => {
  it("requires both fields, and clears an error on edit", async () => {
    renderApp("/login");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Email is required")).toBeTruthy();
    expect(screen.getByText("Password is required")).toBeTruthy();
    await user.type(field("Email"), "a");
    await waitFor(() => expect(screen.queryByText("Email is required")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Invalid email address")).toBeTruthy();
    expect(field("Email").getAttribute("aria-invalid")).toBe("true");
  });

  it("signs in with the typed credentials", async () => {
    const signIn = vi.fn(() => Promise.resolve());
    renderApp("/login", undefined, { signIn });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), " ada@example.com ");
    await user.type(field("Password"), " secret ");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Welcome back!")).toBeTruthy();
    expect(signIn).toHaveBeenCalledExactlyOnceWith("ada@example.com", " secret ");
  });

  it("shows the message for the code and focuses the password", async () => {
    renderApp("/login", undefined, { signIn: () => Promise.reject(firebaseError("wrong-password")) });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.type(field("Password"), "wrong");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Incorrect password. Please try again.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field("Password")));
  });

  it("shows and hides the password", async () => {
    renderApp("/login");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Show password" }));
    expect(field("Password").getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(field("Password").getAttribute("type")).toBe("password");
  });

  it("links to password reset and signup, keeping the target", async () => {
    renderApp("/login?next=%2Fprofile");
    const forgot = await screen.findByRole("link", { name: "Forgot your password?" });
    expect(forgot.getAttribute("href")).toBe("/forgot-password");
    expect(screen.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe(
      "/signup?next=%2Fprofile",
    );
  });

  it("signs in with Google", async () => {
    renderApp("/login", undefined, { signInWithGoogle: () => Promise.resolve() });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Continue with Google" }));
    expect(await screen.findByText("Signed in with Google!")).toBeTruthy();
  });

  it("shows that the Google popup was closed", async () => {
    renderApp("/login", undefined, { signInWithGoogle: () => Promise.reject(firebaseError("popup-closed-by-user")) });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Continue with Google" }));
    expect(await screen.findByText("Sign-in cancelled. Please try again.")).toBeTruthy();
  });
});

describe("signup", () => {
  it("requires all fields", async () => {
    renderApp("/signup");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Create Account" }));
    for (const text of [
      "First name is required",
      "Last name is required",
      "Email is required",
      "Password is required",
    ]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    expect(screen.queryByText("Passwords do not match")).toBeNull();
  });

  it("checks email, length and confirmation together", async () => {
    renderApp("/signup");
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("First name"), "Ada");
    await user.type(field("Last name"), "Lovelace");
    await user.type(field("Email"), "ada@example");
    await user.type(field("Password"), "12345");
    await user.type(field("Confirm password"), "1234");
    await user.click(screen.getByRole("button", { name: "Create Account" }));
    for (const text of ["Email is invalid", "Password must be at least 6 characters", "Passwords do not match"]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    await user.clear(field("Password"));
    await user.type(field("Password"), "1234");
    expect(screen.queryByText("Passwords do not match")).toBeNull();
  });

  it("creates the account with trimmed names", async () => {
    const signUp = vi.fn(() => Promise.resolve());
    renderApp("/signup", undefined, { signUp });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("First name"), " Ada ");
    await user.type(field("Last name"), "Lovelace");
    await user.type(field("Email"), "ada@example.com");
    await user.type(field("Password"), "123456");
    await user.type(field("Confirm password"), "123456");
    await user.click(screen.getByRole("button", { name: "Create Account" }));
    expect(await screen.findByText("Account created successfully!")).toBeTruthy();
    expect(signUp).toHaveBeenCalledExactlyOnceWith({
      firstName: "Ada",
      lastName: "Lovelace",
      email: "ada@example.com",
      password: "123456",
    });
  });
});

describe("forgotten password", () => {
  it("sends the email and confirms it", async () => {
    renderApp("/forgot-password", undefined, { sendPasswordReset: () => Promise.resolve() });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    expect(await screen.findByText("Password reset email sent! Check your inbox.")).toBeTruthy();
  });

  it("shows why it failed", async () => {
    renderApp("/forgot-password", undefined, {
      sendPasswordReset: () => Promise.reject(firebaseError("too-many-requests")),
    });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    expect(
      await screen.findByText("Failed to send password reset email: Too many failed attempts. Please try again later."),
    ).toBeTruthy();
  });
});

describe("links in account emails", () => {
  it("confirm an address only after a click", async () => {
    const used: string[] = [];
    const applyMailCode = (code: string) => Promise.resolve(void used.push(code));
    renderApp("/auth/action?mode=verifyEmail&oobCode=c0de", undefined, { applyMailCode });
    const button = await screen.findByRole("button", { name: "Confirm email address" });
    expect(used).toEqual([]);
    await userEvent.setup().click(button);
    expect(await screen.findByText("Thanks! Your email address is confirmed.")).toBeTruthy();
    expect(used).toEqual(["c0de"]);
  });

  it("show that they expired, and how to get new ones", async () => {
    const setForgottenPassword = () => Promise.reject(firebaseError("expired-action-code"));
    renderApp("/auth/action?mode=resetPassword&oobCode=old", undefined, { setForgottenPassword });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("New password", { selector: "input" }), "brand new");
    await user.type(screen.getByLabelText("Confirm password", { selector: "input" }), "brand news");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    expect(await screen.findByText("Passwords do not match")).toBeTruthy();
    await user.type(screen.getByLabelText("New password", { selector: "input" }), "s");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    expect(
      await screen.findByText("This link has expired or was already used. Please request a new one."),
    ).toBeTruthy();
    expect(screen.getByRole("link", { name: "Request a new link" }).getAttribute("href")).toBe("/forgot-password");
  });
});

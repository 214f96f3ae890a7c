import { describe, expect, it } from "vitest";
import { AUTH_ERROR_TEXTS, authErrorText, resetErrorText, signOutErrorText, signupErrorText } from "./auth-errors";
import { authListenerErrorText } from "./session-errors";

/** A copy of SPEC 8.1, so that changes to the texts fail this test. */
const ROWS: [string, string][] = [
  ["user-not-found", "No account found with this email address."],
  ["wrong-password", "Incorrect password. Please try again."],
  ["invalid-email", "Please enter a valid email address."],
  ["user-disabled", "This account has been disabled. Please contact support."],
  ["too-many-requests", "Too many failed attempts. Please try again later."],
  ["network-request-failed", "Network error. Please check your internet connection."],
  ["email-already-in-use", "An account with this email already exists."],
  ["weak-password", "Password should be at least 6 characters long."],
  ["operation-not-allowed", "This sign-in method is not enabled."],
  ["invalid-credential", "Invalid credentials. Please check your email and password."],
  [
    "account-exists-with-different-credential",
    "An account already exists with the same email but different sign-in method.",
  ],
  ["credential-already-in-use", "This credential is already associated with a different account."],
  ["popup-closed-by-user", "Sign-in cancelled. Please try again."],
  ["popup-blocked", "Popup blocked. Please allow popups for this site."],
  ["cancelled-popup-request", "Sign-in cancelled due to another popup request."],
  ["unauthorized-domain", "This domain is not authorized for authentication."],
];

function authError(code: string, message = "Firebase: Error (auth/x).") {
  return Object.assign(new Error(message), { code: `auth/${code}` });
}

describe("authErrorText", () => {
  it.each(ROWS)("has the text of %s", (code, text) => {
    expect(authErrorText(authError(code))).toBe(text);
  });

  it("has no other codes", () => {
    expect(Object.keys(AUTH_ERROR_TEXTS).sort()).toEqual(ROWS.map(([code]) => code).sort());
  });

  it("falls back to the error's message, then to a general text", () => {
    expect(authErrorText(authError("internal-error", "Quota exceeded"))).toBe("Quota exceeded");
    expect(authErrorText(new Error("Plain"))).toBe("Plain");
    expect(authErrorText(new Error(""))).toBe("An authentication error occurred.");
    expect(authErrorText("not an error")).toBe("An authentication error occurred.");
    expect(authErrorText(undefined)).toBe("An authentication error occurred.");
  });

  it("ignores inherited property names", () => {
    expect(authErrorText({ code: "auth/constructor" })).toBe("An authentication error occurred.");
  });
});

describe("texts of failed actions", () => {
  it("signOutErrorText adds the reason", () => {
    expect(signOutErrorText(new Error("offline"))).toBe("Failed to sign out: offline");
  });

  it("resetErrorText adds the text of the code", () => {
    expect(resetErrorText(authError("invalid-email"))).toBe(
      "Failed to send password reset email: Please enter a valid email address.",
    );
  });

  it("signupErrorText falls back to a general text", () => {
    expect(signupErrorText(authError("weak-password"))).toBe("Password should be at least 6 characters long.");
    expect(signupErrorText(new Error("Custom message"))).toBe("Custom message");
    expect(signupErrorText(null)).toBe("Failed to create account");
  });

  it.each([
    ["network-request-failed", "Network error. Please check your connection."],
    ["too-many-requests", "Too many authentication attempts. Please try again later."],
    ["anything", "Authentication error. Please refresh the page."],
  ])("authListenerErrorText for %s", (code, text) => {
    expect(authListenerErrorText(authError(code))).toBe(text);
  });
});

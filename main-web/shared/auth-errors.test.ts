import { describe, expect, it } from "vitest";
import {
  AUTH_ERROR_TEXTS,
  authErrorText,
  authListenerErrorText,
  resetErrorText,
  signOutErrorText,
  signupErrorText,
} from "./auth-errors";

/** SPEC 8.1, typed once more by hand: the table must not drift from these words. */
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

function refusal(code: string, message = "Firebase: said something (auth/x).") {
  return Object.assign(new Error(message), { code: `auth/${code}` });
}

describe("words for the identity service's codes", () => {
  it.each(ROWS)("%s", (code, words) => {
    expect(authErrorText(refusal(code))).toBe(words);
  });

  it("has no rows besides these", () => {
    expect(Object.keys(AUTH_ERROR_TEXTS).sort()).toEqual(ROWS.map(([code]) => code).sort());
  });

  it("falls back to the error's own message, then to a general one", () => {
    expect(authErrorText(refusal("internal-error", "The moon is in the way"))).toBe("The moon is in the way");
    expect(authErrorText(new Error("Plain"))).toBe("Plain");
    expect(authErrorText(new Error(""))).toBe("An authentication error occurred.");
    expect(authErrorText("not an error")).toBe("An authentication error occurred.");
    expect(authErrorText(undefined)).toBe("An authentication error occurred.");
  });

  it("does not mistake inherited names for codes", () => {
    expect(authErrorText({ code: "auth/constructor" })).toBe("An authentication error occurred.");
  });
});

describe("words for whole actions", () => {
  it("signing out", () => {
    expect(signOutErrorText(new Error("gone"))).toBe("Failed to sign out: gone");
  });

  it("asking for a new password", () => {
    expect(resetErrorText(refusal("invalid-email"))).toBe(
      "Failed to send password reset email: Please enter a valid email address.",
    );
  });

  it("signing up", () => {
    expect(signupErrorText(refusal("weak-password"))).toBe("Password should be at least 6 characters long.");
    expect(signupErrorText(new Error("Own words"))).toBe("Own words");
    expect(signupErrorText(null)).toBe("Failed to create account");
  });

  it.each([
    ["network-request-failed", "Network error. Please check your connection."],
    ["too-many-requests", "Too many authentication attempts. Please try again later."],
    ["anything", "Authentication error. Please refresh the page."],
  ])("the listener: %s", (code, words) => {
    expect(authListenerErrorText(refusal(code))).toBe(words);
  });
});

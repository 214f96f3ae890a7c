import { ACCOUNT_DISABLED, authCode } from "./session-errors";

/** Error texts by error code of the identity provider (SPEC 8.1, verbatim). */
export const AUTH_ERROR_TEXTS: Readonly<Record<string, string>> = {
  "user-not-found": "No account found with this email address.",
  "wrong-password": "Incorrect password. Please try again.",
  "invalid-email": "Please enter a valid email address.",
  "user-disabled": ACCOUNT_DISABLED,
  "too-many-requests": "Too many failed attempts. Please try again later.",
  "network-request-failed": "Network error. Please check your internet connection.",
  "email-already-in-use": "An account with this email already exists.",
  "weak-password": "Password should be at least 6 characters long.",
  "operation-not-allowed": "This sign-in method is not enabled.",
  "invalid-credential": "Invalid credentials. Please check your email and password.",
  "account-exists-with-different-credential":
    "An account already exists with the same email but different sign-in method.",
  "credential-already-in-use": "This credential is already associated with a different account.",
  "popup-closed-by-user": "Sign-in cancelled. Please try again.",
  "popup-blocked": "Popup blocked. Please allow popups for this site.",
  "cancelled-popup-request": "Sign-in cancelled due to another popup request.",
  "unauthorized-domain": "This domain is not authorized for authentication.",
};

/** Other texts for signing in (SPEC 5, 7.2 and 8.1, verbatim). */
export const AUTH_TEXTS = {
  unknown: "An authentication error occurred.",
  offline: "Authentication features are currently unavailable. Please configure Firebase to enable login.",
  offlineGoogle:
    "Google Sign-in is currently unavailable. Please configure Firebase with Google Auth to enable this feature.",
  accountCreated: "Account created successfully!",
  accountCreatedVerify: "Account created successfully! Please check your email to verify your account.",
  signedIn: "Welcome back!",
  signedInGoogle: "Signed in with Google!",
  signedOut: "Signed out successfully",
  resetSent: "Password reset email sent! Check your inbox.",
  signupFailed: "Failed to create account",
  noUser: "No user logged in",
  noApi: "API not configured",
  profileUpdated: "Profile updated successfully!",
  profileFailed: "Failed to update profile",
} as const;

/** The text for a failed sign-in: by code, or else the error's message, or else a general text (SPEC 8.1). */
export function authErrorText(error: unknown): string {
  const code = authCode(error);
  const text = Object.hasOwn(AUTH_ERROR_TEXTS, code) ? AUTH_ERROR_TEXTS[code] : undefined;
  return text ?? (messageOf(error) || AUTH_TEXTS.unknown);
}

/** The text for a failed sign-up: by code or message, or else SPEC's general text. */
export function signupErrorText(error: unknown): string {
  return authCode(error) || messageOf(error) ? authErrorText(error) : AUTH_TEXTS.signupFailed;
}

export function signOutErrorText(error: unknown): string {
  return `Failed to sign out: ${authErrorText(error)}`;
}

export function resetErrorText(error: unknown): string {
  return `Failed to send password reset email: ${authErrorText(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

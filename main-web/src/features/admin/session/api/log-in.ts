/** SPEC 8.4's message. */
const WRONG_KEY = "Invalid admin key";
const BROKEN = "Login failed. Please try again.";

type LoginError = { error?: { message?: string } };

/**
 * Start a staff session. Uses `fetch`, because the API client replaces the server's message with SPEC 8.2's.
 * @returns the error message, or null when the key was right
 */
export async function logIn(key: string): Promise<string | null> {
  try {
    const response = await fetch("/api/admin/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      credentials: "same-origin",
      body: JSON.stringify({ key }),
    });
    // Nothing is known about the key, and the server's message is not for people.
    if (response.status >= 500) return BROKEN;
    const body = (await response.json().catch(() => ({}))) as LoginError;
    return response.ok ? null : body.error?.message || WRONG_KEY;
  } catch (reason) {
    console.warn("The admin login request failed.", reason);
    return BROKEN;
  }
}

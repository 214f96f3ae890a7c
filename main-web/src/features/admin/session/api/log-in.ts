import { plainApi } from "@/lib/api-client";

/** SPEC 8.4's message. */
const WRONG_KEY = "Invalid admin key";
const BROKEN = "Login failed. Please try again.";

/**
 * Start a staff session. Uses the plain API, because the client replaces the server's message with SPEC 8.2's.
 * @returns the error message, or null when the key was right
 */
export async function logIn(key: string): Promise<string | null> {
  try {
    const { error, response } = await plainApi.POST("/admin/login", { body: { key }, credentials: "same-origin" });
    if (response.ok) return null;
    // Nothing is known about the key, and the server's message is not for people.
    if (response.status >= 500) return BROKEN;
    return error?.error.message || WRONG_KEY;
  } catch (reason) {
    console.warn("The admin login request failed.", reason);
    return BROKEN;
  }
}

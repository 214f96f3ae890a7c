/** SPEC 8.4. */
const WRONG_KEY = "Invalid admin key";
const BROKEN = "Login failed. Please try again.";

type Refusal = { error?: { message?: string } };

/**
 * Opens a staff session. Asked without the API client, which puts SPEC 8.2's words in the place of the server's.
 * @returns the words to show, or null when the key was right
 */
export async function postLogin(key: string): Promise<string | null> {
  try {
    const answer = await fetch("/api/admin/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      credentials: "same-origin",
      body: JSON.stringify({ key }),
    });
    const said = (await answer.json().catch(() => ({}))) as Refusal;
    return answer.ok ? null : said.error?.message || WRONG_KEY;
  } catch (reason) {
    console.warn("The admin login was not answered.", reason);
    return BROKEN;
  }
}

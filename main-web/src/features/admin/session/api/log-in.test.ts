import { expect, it, vi } from "vitest";
import { logIn } from "./log-in";

const WRONG_KEY = "Invalid admin key";
const BROKEN = "Login failed. Please try again.";
const JSON_TYPE = { "Content-Type": "application/json" };

const refusal = (message: string) => JSON.stringify({ success: false, error: { code: "invalid_key", message } });

it.each<[string, () => Response, string | null]>([
  ["a right key", () => new Response("{}", { status: 200, headers: JSON_TYPE }), null],
  ["a wrong key", () => new Response(refusal("Wrong."), { status: 401, headers: JSON_TYPE }), "Wrong."],
  ["a refusal without a text", () => new Response(refusal(""), { status: 401, headers: JSON_TYPE }), WRONG_KEY],
  ["a refusal without a body", () => new Response(null, { status: 401 }), BROKEN],
  ["a page of the network", () => new Response("<h1>Log in</h1>", { status: 403 }), BROKEN],
  ["an error of the server", () => new Response("Bad gateway", { status: 502 }), BROKEN],
])("tells %s", async (_case, answer, message) => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.stubGlobal("fetch", () => Promise.resolve(answer()));
  expect(await logIn("key")).toBe(message);
  vi.unstubAllGlobals();
});

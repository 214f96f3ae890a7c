import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startImpersonation } from "./impersonation";
import { keepAnswers } from "./keep-answers";
import { keptData } from "./kept-data";
import { AppQueryClient } from "./query-client";
import { forgetSignedIn, rememberSignedIn, rememberUser } from "./session/session-storage";
import { ApiError } from "@porchlight/shared/client";

const NETWORK = new ApiError("no connection", 0, "network");
const KEY = ["bookings", "u1", "list"];

const userOf = (uid: string) => ({
  uid,
  email: `${uid}@example.com`,
  displayName: "",
  photoURL: null,
  emailVerified: true,
});

function signIn(uid: string) {
  rememberSignedIn(Date.now());
  rememberUser(userOf(uid));
}

const newClient = () => new AppQueryClient({ defaultOptions: { queries: { retry: false, persister: keepAnswers } } });
let queries = newClient();

/** Ask as a page that was opened just now does. */
function ask(queryFn: () => Promise<unknown>, queryKey = KEY) {
  queries.clear();
  queries = newClient();
  return queries.query({ queryKey, queryFn, staleTime: 0 });
}
const answer = (text: string) => () => Promise.resolve({ text });
const refuse =
  (reason: Error = NETWORK) =>
  () =>
    Promise.reject(reason);

beforeEach(() => {
  window.history.replaceState(null, "", "/sessions");
  signIn("u1");
});

afterEach(() => {
  queries.clear();
  window.history.replaceState(null, "", "/");
});

it("shows the last answer while the server does not reply", async () => {
  await ask(answer("first"));
  expect(await ask(refuse())).toEqual({ text: "first" });
  expect(await ask(refuse(new ApiError("down", 503, "unknown")))).toEqual({ text: "first" });
  expect(await ask(answer("second"))).toEqual({ text: "second" });
  expect(await ask(refuse())).toEqual({ text: "second" });
});

it("shows what the server says of a request that it refused", async () => {
  await ask(answer("first"));
  const refusal = new ApiError("not yours", 403, "forbidden");
  await expect(ask(refuse(refusal))).rejects.toBe(refusal);
});

it("shows the last answer while the server is slow, then the server's", async () => {
  await ask(answer("first"));
  vi.useFakeTimers();
  let reply: (data: unknown) => void = () => undefined;
  const slow = new Promise((resolve) => (reply = resolve));
  const asked = ask(() => slow);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await asked).toEqual({ text: "first" });
  reply({ text: "second" });
  await vi.advanceTimersByTimeAsync(0);
  expect(queries.getQueryData(KEY)).toEqual({ text: "second" });
});

it.each(["/search", "/sessions/b1/pass", "/messages"])("keeps nothing of %s", async (path) => {
  window.history.replaceState(null, "", path);
  await ask(answer("first"));
  await expect(ask(refuse())).rejects.toBe(NETWORK);
  expect(await keptData("answers/")).toEqual([]);
});

it("keeps nothing for staff who look at the site as a guru", async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  startImpersonation({ label: "cooking", character: "", writing: false, expiresAt });
  await ask(answer("first"));
  expect(await keptData("answers/")).toEqual([]);
});

it("keeps no count of the header, whose failure says nothing of the page", async () => {
  const key = ["notification-count", "u1"];
  await ask(answer("first"), key);
  await expect(ask(refuse(), key)).rejects.toBe(NETWORK);
  expect(await keptData("answers/")).toEqual([]);
});

it("keeps no answer that is too long, and not more than a hundred", async () => {
  await ask(answer("x".repeat(200_001)));
  expect(await keptData("answers/")).toEqual([]);
  vi.useFakeTimers();
  for (let at = 0; at <= 100; at += 1) {
    vi.advanceTimersByTime(1);
    await ask(answer("short"), ["one", String(at)]);
  }
  vi.useRealTimers();
  await vi.waitFor(async () => expect(await keptData("answers/u1/")).toHaveLength(100));
  await expect(ask(refuse(), ["one", "0"])).rejects.toBe(NETWORK);
});

it("forgets an answer after two weeks", async () => {
  await ask(answer("first"));
  vi.useFakeTimers();
  vi.setSystemTime(Date.now() + 13 * 86_400_000);
  rememberSignedIn(Date.now());
  expect(await ask(refuse())).toEqual({ text: "first" });
  vi.setSystemTime(Date.now() + 2 * 86_400_000);
  await expect(ask(refuse())).rejects.toBe(NETWORK);
});

it("shows no one the answers of another person", async () => {
  await ask(answer("first"));
  rememberUser(userOf("u2"));
  expect(await keptData("answers/")).toEqual([]);
  await expect(ask(refuse())).rejects.toBe(NETWORK);
});

it("forgets the answers of a person who signs out", async () => {
  await ask(answer("first"));
  forgetSignedIn();
  signIn("u1");
  await expect(ask(refuse())).rejects.toBe(NETWORK);
});

import { QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepAnswers } from "@/lib/keep-answers";
import { AppQueryClient } from "@/lib/query-client";
import { rememberSignedIn, rememberUser } from "@/lib/session/session-storage";
import { OfflineBanner } from "./offline-banner";
import { ApiError } from "@porchlight/shared/client";

const NETWORK = new ApiError("no connection", 0, "network");
const KEY = ["bookings", "u1", "list"];

const newClient = () => new AppQueryClient({ defaultOptions: { queries: { retry: false, persister: keepAnswers } } });
let queries = newClient();

/** Ask as a page that was opened just now does. */
function ask(queryFn: () => Promise<unknown>) {
  queries.clear();
  queries = newClient();
  return queries.query({ queryKey: KEY, queryFn, staleTime: 0 });
}
const answer = (text: string) => () => Promise.resolve({ text });
const refuse = () => Promise.reject(NETWORK);

beforeEach(() => {
  window.history.replaceState(null, "", "/sessions");
  rememberSignedIn(Date.now());
  rememberUser({ uid: "u1", email: "ada@example.com", displayName: "", photoURL: null, emailVerified: true });
});

afterEach(() => {
  queries.clear();
  window.history.replaceState(null, "", "/");
});

async function showPage(queryFn: () => Promise<unknown>) {
  await ask(queryFn);
  const stop = new QueryObserver(queries, { queryKey: KEY, queryFn, staleTime: Infinity }).subscribe(() => undefined);
  const view = render(
    <QueryClientProvider client={queries}>
      <OfflineBanner mayShowKept />
    </QueryClientProvider>,
  );
  return () => {
    view.unmount();
    stop();
  };
}

it("says in one banner from when the page is", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime("2026-12-01T16:50:00Z");
  await ask(answer("first"));
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const close = await showPage(refuse);
  expect(await screen.findByText(/You're offline\..* As of 4:50 PM\.$/)).toBeTruthy();
  vi.setSystemTime("2026-12-02T09:00:00Z");
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByText(/Porchlight isn't answering right now\. As of Dec 1, 4:50\sPM\./)).toBeTruthy();
  close();
});

it("asks again when the connection is back", async () => {
  await ask(answer("first"));
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  let isUp = false;
  const close = await showPage(() => (isUp ? Promise.resolve({ text: "second" }) : Promise.reject(NETWORK)));
  expect(await screen.findByText(/As of/)).toBeTruthy();
  isUp = true;
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await vi.waitFor(() => expect(queries.getQueryData(KEY)).toEqual({ text: "second" }));
  await vi.waitFor(() => expect(screen.queryByText(/As of/)).toBeNull());
  close();
});

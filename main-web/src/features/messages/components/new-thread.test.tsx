import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { message, recipient, threadCard } from "../messages-fixtures";
import { deletePending, pendingMessages } from "../lib/outbox";

const { responses, calls } = apiServer();
const RECIPIENT = "GET /api/messages/recipients";
const BEGIN = "POST /api/messages/threads";

const composer = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Message Theo" });

beforeEach(() => {
  const own = message({ mine: true, body: "Hello Theo" });
  responses.set("GET /api/messages/threads", { body: { threads: [], nextCursor: null, unread: 0, change: 1 } });
  responses.set("GET /api/messages/threads/t1", { body: threadCard() });
  responses.set("GET /api/messages/threads/t1/messages", {
    body: { messages: [own], hasEarlier: false, readNumber: 1 },
  });
  responses.set("GET /api/messages/changes", {
    body: { change: 1, unread: 0, threads: [], messages: [], more: false },
  });
  responses.set("PUT /api/messages/threads/t1/read", { body: { unread: 0 } });
  responses.set(RECIPIENT, { body: recipient({ about: "Listing: Sourdough" }) });
  responses.set(BEGIN, { status: 201, body: { thread: threadCard(), message: own } });
});

it("begins a conversation and opens it", async () => {
  const { router } = renderApp("/messages/new?to=listing:l1", ADA);
  expect((await screen.findAllByText("Listing: Sourdough")).length).toBeGreaterThan(0);
  await userEvent.type(await composer(), "Hello Theo");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/messages/t1"));
  expect(calls.find(({ route }) => route === BEGIN)?.body).toEqual({
    to: { kind: "listing", id: "l1" },
    body: "Hello Theo",
    fileIds: [],
  });
});

it("goes on in the conversation that is there, and says why one cannot write", async () => {
  responses.set(RECIPIENT, { body: recipient({ threadId: "t1" }) });
  const { router } = renderApp("/messages/new?to=profile:theo-barnes", ADA);
  await waitFor(() => expect(router.state.location.pathname).toBe("/messages/t1"));
  const refusal = "This neighbor is not taking messages.";
  responses.set(RECIPIENT, { body: recipient({ canWrite: false, refusal }) });
  await act(() => router.navigate("/messages/new?to=profile:maya"));
  expect(await screen.findByText(refusal)).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  await act(() => router.navigate("/messages/new?to=unknown"));
  expect(await screen.findByText("We couldn't find who you want to write to")).toBeTruthy();
});

it("opens the conversation that another tab began by sending what waited here", async () => {
  responses.set(BEGIN, { status: 503 });
  const { router } = renderApp("/messages/new?to=listing:l1", ADA);
  await userEvent.type(await composer(), "Hello Theo");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("button", { name: "Not sent. Tap to try again." });
  const [waiting] = pendingMessages("u1");
  responses.set(RECIPIENT, { body: recipient({ threadId: "t1" }) });
  act(() => deletePending("u1", waiting?.key ?? ""));
  await waitFor(() => expect(router.state.location.pathname).toBe("/messages/t1"));
});

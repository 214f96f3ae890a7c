import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { forgetKeptMessages } from "@/lib/kept-messages";
import { apiServer } from "@/testing/api-server";
import { message, threadCard } from "../messages-fixtures";
import { addPending, EMPTY_DRAFT, pendingMessages, readDraft, saveDraft, watchOutbox } from "./outbox";
import { sendOutbox } from "./send-outbox";

const { responses, calls } = apiServer();
const THREAD = { threadId: "t1" };
const SEND = "POST /api/messages/threads/t1/messages";
const add = (key: string, target: Parameters<typeof addPending>[1]["target"] = THREAD) =>
  addPending("u1", { key, target, body: `Body of ${key}`, files: [] });
const send = () => sendOutbox("u1", new QueryClient());
const states = () => pendingMessages("u1").map(({ key, state }) => `${key} ${state}`);
const sentKeys = () => calls.map(({ headers }) => headers["idempotency-key"]);

describe("drafts", () => {
  it("are kept per person and thread, and forgotten at sign-out", () => {
    saveDraft("u1", THREAD, { body: "Half a sent", files: [] });
    expect(readDraft("u1", THREAD).body).toBe("Half a sent");
    expect(readDraft("u2", THREAD)).toBe(EMPTY_DRAFT);
    expect(readDraft("u1", { threadId: "t2" })).toBe(EMPTY_DRAFT);
    forgetKeptMessages();
    expect(readDraft("u1", THREAD)).toBe(EMPTY_DRAFT);
  });

  it("leave nothing behind when they are empty, and survive broken storage", () => {
    saveDraft("u1", THREAD, { body: "  ", files: [] });
    expect(Object.keys(localStorage)).toEqual([]);
    localStorage.setItem("porchlight.messages.u1.draft.thread:t1", "{broken");
    expect(readDraft("u1", THREAD)).toBe(EMPTY_DRAFT);
  });

  it("stay in memory when the storage is full", () => {
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    saveDraft("u3", THREAD, { body: "Not lost", files: [] });
    full.mockRestore();
    expect(readDraft("u3", THREAD).body).toBe("Not lost");
  });
});

describe("sendOutbox", () => {
  it("sends in order, each once", async () => {
    const stop = watchOutbox(() => undefined);
    responses.set(SEND, { status: 201, body: message({ mine: true }) });
    add("a");
    add("b");
    expect(states()).toEqual(["a waiting", "b waiting"]);
    await send();
    await send();
    expect(sentKeys()).toEqual(["a", "b"]);
    expect(states()).toEqual([]);
    stop();
  });

  it("keeps the order when one fails, and sends again with the same key", async () => {
    responses.set(SEND, { status: 503 });
    add("a");
    add("b");
    await send();
    expect(states()).toEqual(["a failed", "b waiting"]);
    expect(sentKeys()).toEqual(["a"]);
    responses.set(SEND, { status: 201, body: message({ mine: true }) });
    await send();
    expect(sentKeys()).toEqual(["a", "a", "b"]);
    expect(states()).toEqual([]);
  });

  it("sends what is refused only when its person says so", async () => {
    responses.set(SEND, { status: 409, body: { code: "quota_exceeded", message: "Please wait." } });
    add("a");
    await send();
    expect(states()).toEqual(["a refused"]);
    await send();
    expect(calls).toHaveLength(1);
  });

  it("lets later messages and the draft follow a first one to its thread", async () => {
    const to = { to: { kind: "profile", id: "theo-barnes" } } as const;
    responses.set("POST /api/messages/threads", {
      status: 201,
      body: { thread: threadCard(), message: message({ mine: true }) },
    });
    responses.set(SEND, { status: 201, body: message({ mine: true, number: 2 }) });
    add("a", to);
    add("b", to);
    saveDraft("u1", to, { body: "And a third", files: [] });
    await send();
    expect(calls.map(({ route }) => route)).toEqual(["POST /api/messages/threads", SEND]);
    expect(readDraft("u1", THREAD).body).toBe("And a third");
    expect(readDraft("u1", to)).toBe(EMPTY_DRAFT);
  });

  it("doesn't bring back what was forgotten while it was under way", async () => {
    responses.set(SEND, () => {
      forgetKeptMessages();
      return { status: 503 };
    });
    add("a");
    await send();
    expect(Object.keys(localStorage)).toEqual([]);
  });
});

import type { InfiniteData } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { AppQueryClient } from "@/lib/query-client";
import { message, threadCard } from "../messages-fixtures";
import { applyCard, applyChanges, applyMessages, boxOf } from "./apply-changes";
import { messageKeys } from "./query-keys";
import type { Box, MessagePage, ThreadCard, ThreadPage } from "./types";

const at = (day: number) => `2026-11-${day}T12:00:00Z`;
const card = (id: string, day: number, changes: Partial<ThreadCard> = {}) =>
  threadCard({ id, last: { preview: id, kind: "text", at: at(day), mine: false }, ...changes });

function withLists(...inbox: ThreadCard[]) {
  const queries = new AppQueryClient();
  const page = (threads: ThreadCard[]): InfiniteData<ThreadPage> => ({
    pages: [{ threads, nextCursor: null, unread: 0, change: 1 }],
    pageParams: [""],
  });
  queries.setQueryData(messageKeys.threads("u1", "person", "inbox"), page(inbox));
  for (const box of ["requests", "archived"] as const)
    queries.setQueryData(messageKeys.threads("u1", "person", box), page([]));
  const ids = (box: Box) =>
    queries
      .getQueryData<InfiniteData<ThreadPage>>(messageKeys.threads("u1", "person", box))
      ?.pages.flatMap(({ threads }) => threads.map(({ id }) => id));
  return { queries, ids };
}

function withTexts(pages: MessagePage[]) {
  const queries = new AppQueryClient();
  queries.setQueryData(messageKeys.texts("u1", "t1"), { pages, pageParams: pages.map(() => null) });
  const shown = () =>
    queries
      .getQueryData<InfiniteData<MessagePage>>(messageKeys.texts("u1", "t1"))
      ?.pages.map(({ messages }) => messages.map(({ number, removed }) => (removed ? "removed" : number)));
  return { queries, shown };
}

it("boxOf follows the server: archived first, then requests", () => {
  expect(boxOf({ archived: true, request: true })).toBe("archived");
  expect(boxOf({ archived: false, request: true })).toBe("requests");
  expect(boxOf({ archived: false, request: false })).toBe("inbox");
});

describe("applyCard", () => {
  it("moves a thread to its place and to its box", () => {
    const { queries, ids } = withLists(card("a", 24), card("b", 23), card("c", 22));
    applyCard(queries, "u1", card("c", 25));
    expect(ids("inbox")).toEqual(["c", "a", "b"]);
    applyCard(queries, "u1", card("a", 24, { archived: true }));
    expect([ids("inbox"), ids("archived")]).toEqual([["c", "b"], ["a"]]);
    applyCard(queries, "u1", card("new", 23, { request: true }));
    expect(ids("requests")).toEqual(["new"]);
  });

  it("keeps a guru's threads out of the person's lists", () => {
    const { queries, ids } = withLists();
    applyCard(queries, "u1", card("a", 24, { side: "guru" }));
    expect(ids("inbox")).toEqual([]);
  });
});

describe("applyMessages", () => {
  const pages = [
    { messages: [message({ number: 3 }), message({ number: 4 })], hasEarlier: true, readNumber: 2 },
    { messages: [message({ number: 1 }), message({ number: 2 })], hasEarlier: false, readNumber: 2 },
  ];

  it("adds new ones at the end, and changes old ones where they are", () => {
    const { queries, shown } = withTexts(pages);
    applyMessages(queries, "u1", "t1", [message({ number: 5 }), message({ number: 1, removed: true })]);
    expect(shown()).toEqual([
      [3, 4, 5],
      ["removed", 2],
    ]);
  });

  it("leaves out what belongs to a page that is not loaded", () => {
    const { queries, shown } = withTexts(pages.slice(0, 1));
    applyMessages(queries, "u1", "t1", [message({ number: 1, removed: true }), message({ number: 5 })]);
    expect(shown()).toEqual([[3, 4, 5]]);
  });
});

it("applyChanges twice is the same as once", () => {
  const { queries, ids } = withLists(card("t1", 24));
  const changes = { change: 9, unread: 2, threads: [card("t1", 25)], messages: [message()], more: false };
  applyChanges(queries, "u1", changes);
  applyChanges(queries, "u1", changes);
  expect(ids("inbox")).toEqual(["t1"]);
  expect(queries.getQueryData(messageKeys.state("u1"))).toEqual({ change: 9, unread: 2 });
});

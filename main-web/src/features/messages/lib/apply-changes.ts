import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { lastNumber, withMessages } from "./conversation";
import { messageKeys } from "./query-keys";
import type { Box, Changes, Message, MessagePage, Side, ThreadCard, ThreadPage } from "./types";

export type MessagesState = { change: number; unread: number };

/** The box in which the reader finds a thread. */
export function boxOf({ archived, request }: Pick<ThreadCard, "archived" | "request">): Box {
  if (archived) return "archived";
  return request ? "requests" : "inbox";
}

/** Put what changed into everything that is loaded: lists, threads and their messages. */
export function applyChanges(queries: QueryClient, userId: string, changes: Changes) {
  for (const card of changes.threads) applyCard(queries, userId, card);
  for (const threadId of new Set(changes.messages.map((message) => message.threadId))) {
    applyMessages(
      queries,
      userId,
      threadId,
      changes.messages.filter((message) => message.threadId === threadId),
    );
  }
  queries.setQueryData<MessagesState>(messageKeys.state(userId), { change: changes.change, unread: changes.unread });
}

/** Show a thread as it is now, in its own view and in its place in the lists. */
export function applyCard(queries: QueryClient, userId: string, card: ThreadCard) {
  queries.setQueryData<ThreadCard>(messageKeys.thread(userId, card.id), card);
  for (const [key, list] of queries.getQueriesData<InfiniteData<ThreadPage>>({ queryKey: messageKeys.lists(userId) })) {
    const [side, box] = key.slice(3) as [Side, Box];
    if (list) queries.setQueryData(key, withCard(list, card, side === card.side && box === boxOf(card)));
  }
}

function withCard(list: InfiniteData<ThreadPage>, card: ThreadCard, belongs: boolean): InfiniteData<ThreadPage> {
  const pages = list.pages.map((page) => ({ ...page, threads: page.threads.filter(({ id }) => id !== card.id) }));
  if (!belongs) return { ...list, pages };
  const when = card.last?.at ?? "";
  for (const [index, page] of pages.entries()) {
    const at = page.threads.findIndex(({ last }) => (last?.at ?? "") <= when);
    const isEnd = index === pages.length - 1 && page.nextCursor === null;
    if (at < 0 && !isEnd) continue;
    page.threads.splice(at < 0 ? page.threads.length : at, 0, card);
    break;
  }
  return { ...list, pages };
}

/** Add or replace messages of a thread whose messages are loaded. */
export function applyMessages(queries: QueryClient, userId: string, threadId: string, changed: Message[]) {
  queries.setQueryData<InfiniteData<MessagePage>>(messageKeys.texts(userId, threadId), (list) => {
    if (!list) return list;
    const rest = new Map(changed.map((message) => [message.id, message]));
    // Earlier pages keep what is theirs; everything else is newer than what is loaded, and goes to the newest page.
    const pages = list.pages.map((page) => ({
      ...page,
      messages: page.messages.map((message) => {
        const now = rest.get(message.id);
        rest.delete(message.id);
        return now ?? message;
      }),
    }));
    const [newest] = pages;
    if (newest && rest.size > 0) newest.messages = withMessages(newest.messages, newerThan(pages, [...rest.values()]));
    return { ...list, pages };
  });
}

/** Leave out messages that belong to a page that is not loaded yet. */
function newerThan(pages: MessagePage[], messages: Message[]): Message[] {
  const oldest = pages.at(-1);
  if (!oldest?.hasEarlier) return messages;
  const first = oldest.messages.find(({ kind }) => kind === "text")?.number ?? lastNumber(oldest.messages);
  return messages.filter(({ kind, number }) => kind === "event" || number >= first);
}

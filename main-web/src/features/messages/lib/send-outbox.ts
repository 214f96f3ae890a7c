import type { QueryClient } from "@tanstack/react-query";
import { createMessage } from "../api/create-message";
import { createThread } from "../api/create-thread";
import { applyCard, applyMessages } from "./apply-changes";
import { deletePending, moveToThread, pendingMessages, savePending, targetName, type Pending } from "./outbox";
import { messageKeys } from "./query-keys";
import type { RecipientCard } from "./types";
import { ApiError } from "@porchlight/shared/client";

/** Failures that another attempt may pass: no answer, a broken or busy server, an expired session. */
const canPass = (reason: unknown) =>
  !(reason instanceof ApiError) || [0, 401, 408, 429].includes(reason.status) || reason.status >= 500;

/**
 * Send what waits, in order, in one tab at a time. A message that could not be sent stays, and so do those after it in
 * its thread. The idempotency key keeps a message single that arrived although its answer did not.
 */
export async function sendOutbox(userId: string, queries: QueryClient): Promise<void> {
  if (pendingMessages(userId).length === 0) return;
  await inOneTab(`porchlight.messages.send.${userId}`, () => sendAll(userId, queries));
}

/** Run while no other tab does. Outside secure contexts browsers have no locks; then the idempotency keys suffice. */
async function inOneTab(name: string, run: () => Promise<void>) {
  if ("locks" in navigator) await navigator.locks.request(name, run);
  else await run();
}

async function sendAll(userId: string, queries: QueryClient) {
  const stopped = new Set<string>();
  const tried = new Set<string>();
  for (;;) {
    const next = pendingMessages(userId).find(
      ({ key, state, target }) => state !== "refused" && !tried.has(key) && !stopped.has(targetName(target)),
    );
    if (!next) return;
    tried.add(next.key);
    try {
      await sendOne(userId, queries, next);
    } catch (reason) {
      const passes = canPass(reason);
      if (passes) stopped.add(targetName(next.target));
      // It may have been deleted, or its person signed out, while it was under way.
      if (pendingMessages(userId).some(({ key }) => key === next.key)) {
        savePending(userId, {
          ...next,
          state: passes ? "failed" : "refused",
          reason: reason instanceof Error ? reason.message : "",
        });
      }
    }
  }
}

async function sendOne(userId: string, queries: QueryClient, { key, target, body, files }: Pending) {
  const fileIds = files.map(({ id }) => id);
  if ("threadId" in target) {
    const message = await createMessage(target.threadId, body, fileIds, key);
    applyMessages(queries, userId, target.threadId, [message]);
  } else {
    const { thread } = await createThread(target.to, body, fileIds, key);
    applyCard(queries, userId, thread);
    moveToThread(userId, target, thread.id);
    // The page of the first message goes on in the thread.
    queries.setQueryData<RecipientCard>(
      messageKeys.recipient(userId, target.to),
      (card) => card && { ...card, threadId: thread.id },
    );
  }
  deletePending(userId, key);
}

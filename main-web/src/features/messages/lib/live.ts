import type { QueryClient } from "@tanstack/react-query";
import { getChanges } from "../api/get-changes";
import { applyChanges, type MessagesState } from "./apply-changes";
import { messageKeys } from "./query-keys";
import { sendOutbox } from "./send-outbox";
import { followStream } from "./stream";
import { ApiError } from "@porchlight/shared/client";

const POLL_MS = 20_000;
/** How often a tab looks whether it is time to ask: changes are also asked for in between. */
const LOOK_MS = 5_000;
/** While the server announces changes, asking is only for what an announcement missed. */
const POLL_WHILE_STREAMING_MS = 120_000;

type LiveOptions = { queries: QueryClient; userId: string; isStreamed: boolean };

let pullNow: (() => void) | null = null;

/** Fetch changes at once, for example after sending. */
export function refreshMessages() {
  pullNow?.();
}

/**
 * Keep the person's messages up to date, and send what waits. The changes after a number are the truth; a stream only
 * says when to ask. Returns a function that stops it.
 */
export function keepMessagesLive({ queries, userId, isStreamed }: LiveOptions): () => void {
  let isOver = false;
  const isStopped = () => isOver;
  let isPulling = false;
  let isAskedAgain = false;
  let lastPull = 0;
  let lastSend = 0;
  let isStreaming = false;

  const known = () => queries.getQueryData<MessagesState>(messageKeys.state(userId))?.change ?? null;

  async function pull() {
    isAskedAgain = true;
    if (isPulling) return;
    isPulling = true;
    try {
      while (isAskedAgain && !isStopped()) {
        isAskedAgain = false;
        lastPull = Date.now();
        const changes = await getChanges(known());
        // The person may have signed out meanwhile, and their messages are forgotten.
        if (isStopped()) return;
        applyChanges(queries, userId, changes);
        if (changes.more) isAskedAgain = true;
      }
    } catch (reason) {
      // Messages are switched off, or belong to the guru whom staff look at. Otherwise the next round asks again.
      if (reason instanceof ApiError && [403, 404].includes(reason.status)) stop();
    } finally {
      isPulling = false;
    }
  }

  const isHidden = () => document.visibilityState !== "visible" || isStopped();

  function send() {
    lastSend = Date.now();
    void sendOutbox(userId, queries);
  }

  function refresh() {
    if (isHidden()) return;
    void pull();
    send();
  }

  const timer = setInterval(() => {
    if (Date.now() - lastPull >= (isStreaming ? POLL_WHILE_STREAMING_MS : POLL_MS)) refresh();
    // No announcement says that another attempt may pass.
    else if (Date.now() - lastSend >= POLL_MS && !isHidden()) send();
  }, LOOK_MS);
  const stopStream = isStreamed
    ? followStream(userId, {
        onChange: (change) => {
          if (change !== known() && !isStopped()) void pull();
        },
        onState: (open) => (isStreaming = open),
      })
    : () => undefined;
  document.addEventListener("visibilitychange", refresh);
  window.addEventListener("focus", refresh);
  window.addEventListener("online", refresh);
  pullNow = refresh;
  refresh();

  function stop() {
    isOver = true;
    clearInterval(timer);
    stopStream();
    document.removeEventListener("visibilitychange", refresh);
    window.removeEventListener("focus", refresh);
    window.removeEventListener("online", refresh);
    if (pullNow === refresh) pullNow = null;
  }
  return stop;
}

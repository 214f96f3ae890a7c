import type { Query, QueryClient } from "@tanstack/react-query";
import { forgetData, keepData, keptData } from "./kept-data";
import { ApiError } from "@porchlight/shared/client";

/** After this time a page shows the last answer, until the server's arrives. */
const SLOW_MS = 5_000;
/** As long as the cookie: after that the person signs in again. */
const MAX_AGE_MS = 14 * 86_400_000;
/** Of an answer as JSON. Lists of pages have a few kilobytes. */
const MAX_LENGTH = 200_000;
/** Of one person; the oldest are forgotten. */
const MAX_ANSWERS = 100;

type KeptAnswer = { key: string; at: number; data: unknown };
type Asked = {
  userId: string;
  query: Pick<Query, "queryHash" | "queryKey">;
  client: Pick<QueryClient, "setQueryData">;
};

/** When the answers that queries show in place of the server's were given, by the hash of the query. */
const shown = new Map<string, number>();
const listeners = new Set<() => void>();

function note(hash: string, at: number | null) {
  if (at === null ? !shown.delete(hash) : shown.get(hash) === at) return;
  if (at !== null) shown.set(hash, at);
  for (const notify of listeners) notify();
}

export function subscribeKeptAnswers(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}

/** Return when the oldest of the last answers that these queries show was given; null when all are the server's. */
export function oldestKeptAnswer(isShown: (hash: string) => boolean): number | null {
  const times = [...shown].filter(([hash]) => isShown(hash)).map(([, at]) => at);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Tell whether a query shows its last answer in place of the server's. */
export const isKeptAnswer = (hash: string) => shown.has(hash);

const prefixOf = (userId: string) => `answers/${userId}/`;

/** Ask the server. Without a reply, or without one for a while, return the last answer. */
export async function answerOrKept(ask: () => Promise<unknown>, asked: Asked): Promise<unknown> {
  const { queryHash } = asked.query;
  const key = `${prefixOf(asked.userId)}${queryHash}`;
  const answer = ask();
  const isReply = answer.then(async (data) => {
    note(queryHash, null);
    await keep(asked.userId, key, data);
    return true;
  });
  isReply.catch(() => undefined); // told below
  const first = await firstOf(answer);
  if (first.status === "fulfilled") return first.value;
  if (first.status === "rejected" && !isUnreachable(first.reason)) throw first.reason;

  const kept = await lastAnswer(key);
  if (!kept) return answer;
  note(queryHash, kept.at);
  if (first.status === "waiting") {
    answer.then(
      (data) => asked.client.setQueryData(asked.query.queryKey, data),
      () => undefined, // the last answer stays
    );
  }
  return kept.data;
}

type First = PromiseSettledResult<unknown> | { status: "waiting" };

/** Return how a request ended, or that it takes long. */
async function firstOf(answer: Promise<unknown>): Promise<First> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<First>((resolve) => {
    timer = setTimeout(() => resolve({ status: "waiting" }), SLOW_MS);
  });
  const settled = Promise.allSettled([answer]).then(([result]) => result);
  const first = await Promise.race([settled, waiting]);
  clearTimeout(timer);
  return first;
}

function isUnreachable(reason: unknown): boolean {
  return reason instanceof ApiError && (reason.status === 0 || reason.status >= 500);
}

async function lastAnswer(key: string): Promise<KeptAnswer | undefined> {
  const [kept] = ((await keptData(key)) as KeptAnswer[]).filter((one) => one.key === key);
  return kept && kept.at > Date.now() - MAX_AGE_MS ? kept : undefined;
}

async function keep(userId: string, key: string, data: unknown): Promise<void> {
  const json = JSON.stringify(data) as string | undefined; // undefined for an answer without a body
  if (json === undefined || json.length > MAX_LENGTH) return;
  const kept: KeptAnswer = { key, at: Date.now(), data: JSON.parse(json) };
  await keepData(key, kept);
  const all = (await keptData(prefixOf(userId))) as KeptAnswer[];
  const old = all.sort((one, other) => other.at - one.at).slice(MAX_ANSWERS);
  for (const { key: forgotten } of old) await forgetData(forgotten);
}

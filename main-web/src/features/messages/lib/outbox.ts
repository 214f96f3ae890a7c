import type { MessageFile, Recipient } from "./types";

/*
 * What a person typed and what is not sent yet, per person and thread, in this browser. Each draft and each message has
 * a key of its own, so that tabs never write over each other.
 */

/** Where a message goes: to a thread, or as the first one to a recipient. */
export type Target = { threadId: string } | { to: Recipient };
export type Draft = { body: string; files: MessageFile[] };
export type Pending = Draft & {
  key: string;
  target: Target;
  /** The order of sending: the time of the press. */
  order: number;
  /** "failed" may be sent again by itself; "refused" only by the person, who has to change something. */
  state: "waiting" | "failed" | "refused";
  reason: string;
};

const PREFIX = "porchlight.messages.";
export const EMPTY_DRAFT: Draft = { body: "", files: [] };

/** A name of the target within one person's messages. */
export const targetName = (target: Target) =>
  "threadId" in target ? `thread:${target.threadId}` : `to:${target.to.kind}:${target.to.id}`;

const draftKey = (userId: string, target: Target) => `${PREFIX}${userId}.draft.${targetName(target)}`;
const pendingPrefix = (userId: string) => `${PREFIX}${userId}.pending.`;

const listeners = new Set<() => void>();
/** Stands in for a storage that is full or switched off, until the page is left. */
const memory = new Map<string, string>();
/** The lists of the last reading, so that those who read them see the same object until something changes. */
const read = new Map<string, { texts: string; list: readonly Pending[] }>();

function notify() {
  for (const listener of listeners) listener();
}

function listenToOtherTabs({ key }: StorageEvent) {
  if (key === null || key.startsWith(PREFIX)) notify();
}

/** Call back when a message is added, changed or sent, in any tab. */
export function watchOutbox(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", listenToOtherTabs);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", listenToOtherTabs);
  };
}

function load(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function save(key: string, value: string | null) {
  memory.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value !== null) memory.set(key, value);
  }
}

function keysWith(prefix: string): string[] {
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage);
  } catch {
    // Only what is in memory.
  }
  return [...new Set([...stored, ...memory.keys()])].filter((key) => key.startsWith(prefix));
}

function parse<T>(text: string | null, isValid: (value: Partial<T>) => boolean): T | null {
  try {
    const value = JSON.parse(text ?? "null") as Partial<T> | null;
    return value && isValid(value) ? (value as T) : null;
  } catch {
    return null;
  }
}

const isDraft = ({ body, files }: Partial<Draft>) => typeof body === "string" && Array.isArray(files);
const isPending = (value: Partial<Pending>) =>
  isDraft(value) && typeof value.key === "string" && typeof value.order === "number" && value.target !== undefined;

export function readDraft(userId: string, target: Target): Draft {
  return parse<Draft>(load(draftKey(userId, target)), isDraft) ?? EMPTY_DRAFT;
}

export function saveDraft(userId: string, target: Target, draft: Draft) {
  const isEmpty = draft.body.trim() === "" && draft.files.length === 0;
  save(draftKey(userId, target), isEmpty ? null : JSON.stringify(draft));
}

/** Return what is not sent yet, in the order of sending. */
export function pendingMessages(userId: string): readonly Pending[] {
  const stored = keysWith(pendingPrefix(userId)).map(load);
  const texts = stored.join("\n");
  const known = read.get(userId);
  if (known?.texts === texts) return known.list;
  const list = stored
    .map((text) => parse<Pending>(text, isPending))
    .filter((one) => one !== null)
    .sort((a, b) => a.order - b.order);
  read.set(userId, { texts, list });
  return list;
}

/** Keep a message until it is sent. */
export function addPending(userId: string, message: Pick<Pending, "key" | "target" | "body" | "files">) {
  const last = pendingMessages(userId).at(-1)?.order ?? 0;
  savePending(userId, { ...message, order: Math.max(Date.now(), last + 1), state: "waiting", reason: "" });
}

export function savePending(userId: string, message: Pending) {
  save(pendingPrefix(userId) + message.key, JSON.stringify(message));
  notify();
}

export function deletePending(userId: string, key: string) {
  save(pendingPrefix(userId) + key, null);
  notify();
}

/** Let what was for a recipient go to the thread that the first message began: later messages and the draft. */
export function moveToThread(userId: string, from: Target, threadId: string) {
  for (const message of pendingMessages(userId)) {
    if (targetName(message.target) === targetName(from)) savePending(userId, { ...message, target: { threadId } });
  }
  const draft = readDraft(userId, from);
  if (draft !== EMPTY_DRAFT) saveDraft(userId, { threadId }, draft);
  saveDraft(userId, from, EMPTY_DRAFT);
}

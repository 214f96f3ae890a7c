import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { forgetData, keepData, keptData } from "@/lib/kept-data";
import { sendCheckIn, sendUndo } from "../api/check-in";
import type { Roster, RosterPerson } from "./types";
import { ApiError } from "@porchlight/shared/client";

/** A check-in or its undo that the server does not know yet. */
export type QueuedStep = {
  id: string;
  kind: "check-in" | "undo";
  bookingId: string;
  name: string;
  /** When the people were checked in: ISO, whole seconds. */
  at: string;
  device: string;
  pass: string;
  waiverDueSeen: boolean;
};
export type Sent = { step: QueuedStep; person: RosterPerson | null; refusal: string };

const prefixOf = (userId: string) => `check-in/${userId}/`;

/** Add a step at the end of the queue. It stays after the page is closed. */
export async function addStep(userId: string, step: Omit<QueuedStep, "id">): Promise<QueuedStep> {
  // Keys are in the order of time.
  const id = `${String(Date.now()).padStart(15, "0")}-${createIdempotencyKey()}`;
  const queued = { ...step, id };
  await keepData(prefixOf(userId) + id, queued);
  return queued;
}

/** Return the queue, the earliest step first. */
export async function queuedSteps(userId: string): Promise<QueuedStep[]> {
  return (await keptData(prefixOf(userId))) as QueuedStep[];
}

/**
 * Send the queue in its order. What the server refuses leaves the queue with the reason; without a connection the rest
 * stays.
 * @returns what was sent
 */
export async function sendSteps(userId: string): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const step of await queuedSteps(userId)) {
    try {
      const person = await (step.kind === "undo" ? sendUndo(step) : sendCheckIn(step));
      sent.push({ step, person, refusal: "" });
    } catch (reason) {
      if (!(reason instanceof ApiError) || !isFinal(reason.status)) break;
      sent.push({ step, person: null, refusal: reason.message });
    }
    await forgetData(prefixOf(userId) + step.id);
  }
  return sent;
}

/** Whether the server has decided, as opposed to: unreachable, busy, or the session is over. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/** Return a roster with the steps that the server does not know yet. */
export function withSteps(roster: Roster, steps: readonly QueuedStep[]): Roster {
  if (steps.length === 0) return roster;
  const last = new Map(steps.map((step) => [step.bookingId, step]));
  const changed = (person: RosterPerson): RosterPerson => {
    const step = last.get(person.bookingId);
    if (!step) return person;
    return step.kind === "undo"
      ? { ...person, checkedInAt: null, checkedInBy: "" }
      : { ...person, checkedInAt: step.at, checkedInBy: step.device };
  };
  return { ...roster, sessions: roster.sessions.map((one) => ({ ...one, people: one.people.map(changed) })) };
}

/** Return a roster with a person as the server has them now. */
export function withPerson(roster: Roster, person: RosterPerson): Roster {
  const swap = (one: RosterPerson) => (one.bookingId === person.bookingId ? person : one);
  return { ...roster, sessions: roster.sessions.map((one) => ({ ...one, people: one.people.map(swap) })) };
}

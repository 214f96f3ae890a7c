import { MutationCache } from "@tanstack/react-query";
import { ApiError, type PlanLimit } from "@porchlight/shared/client";

/** What a plan didn't include, with the server's sentence about it. */
export type ReachedLimit = PlanLimit & { message: string };

let reached: ReachedLimit | null = null;
const listeners = new Set<() => void>();

function publish(limit: ReachedLimit | null) {
  reached = limit;
  for (const notify of listeners) notify();
}

/** Show the limit sheet if the error is about the user's plan. */
export function showPlanLimit(error: unknown) {
  if (error instanceof ApiError && error.planLimit) publish({ ...error.planLimit, message: error.message });
}

export function closeLimitSheet() {
  publish(null);
}

export function subscribeLimitSheet(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}

export function currentLimit() {
  return reached;
}

/** Create the cache of mutations, so that every change that a plan doesn't include shows the limit sheet. */
export function createMutationCache() {
  return new MutationCache({ onError: showPlanLimit });
}

import { useSyncExternalStore } from "react";

/** Staff who look at a site as its guru: whose, until when, and whether they may change things. */
export type LookingAs = { label: string; character: string; writing: boolean; expiresAt: string };

const NAME = "porchlight.looking-as";
const listeners = new Set<() => void>();
let text: string | null | undefined;
let look: LookingAs | null = null;

/** Kept in the tab, so that a reload goes on looking, and another tab does not begin to. */
function stored(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** As whom staff look in this tab; null for everybody else. The server decides what comes of it. */
export function lookingAs(): LookingAs | null {
  if (text === undefined) {
    text = stored();
    look = parse(text);
  }
  return look;
}

function parse(from: string | null): LookingAs | null {
  if (from === null) return null;
  try {
    const found = JSON.parse(from) as LookingAs;
    return Date.parse(found.expiresAt) > Date.now() ? found : null;
  } catch {
    return null;
  }
}

function change(to: LookingAs | null) {
  look = to;
  text = to && JSON.stringify(to);
  try {
    if (text === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, text);
  } catch {
    // Without storage a reload ends the look here; the server ends it in a quarter of an hour.
  }
  for (const notify of listeners) notify();
}

export const enterConsole = (as: LookingAs) => change(as);
export const leaveConsole = () => {
  if (lookingAs()) change(null);
};

export function useLookingAs(): LookingAs | null {
  return useSyncExternalStore((notify) => {
    listeners.add(notify);
    return () => void listeners.delete(notify);
  }, lookingAs);
}

/** The header by which calls of a guru's console say whose it is. */
export function lookingHeaders(): Record<string, string> {
  const as = lookingAs();
  return as ? { "Porchlight-As": as.label } : {};
}

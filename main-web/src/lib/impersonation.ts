import { useSyncExternalStore } from "react";

/** A staff member's impersonation of a guru: which site, until when, and whether changes are allowed. */
export type Impersonation = { label: string; character: string; writing: boolean; expiresAt: string };

const STORAGE_KEY = "porchlight.looking-as";
const listeners = new Set<() => void>();
let cachedJson: string | null | undefined;
let cached: Impersonation | null = null;

/** Read from the tab's storage, so that a reload keeps the impersonation and other tabs do not start one. */
function readStorage(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** Return the impersonation active in this tab, or null. The server decides what it allows. */
export function currentImpersonation(): Impersonation | null {
  if (cachedJson === undefined) {
    cachedJson = readStorage();
    cached = parse(cachedJson);
  }
  return cached;
}

function parse(json: string | null): Impersonation | null {
  if (json === null) return null;
  try {
    const impersonation = JSON.parse(json) as Impersonation;
    return Date.parse(impersonation.expiresAt) > Date.now() ? impersonation : null;
  } catch {
    return null;
  }
}

function setImpersonation(impersonation: Impersonation | null) {
  cached = impersonation;
  cachedJson = impersonation && JSON.stringify(impersonation);
  try {
    if (cachedJson === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, cachedJson);
  } catch {
    // Without storage a reload ends the impersonation in this tab; the server ends it after 15 minutes.
  }
  for (const notify of listeners) notify();
}

export const startImpersonation = (impersonation: Impersonation) => setImpersonation(impersonation);
export const endImpersonation = () => {
  if (currentImpersonation()) setImpersonation(null);
};

export function useImpersonation(): Impersonation | null {
  return useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => void listeners.delete(notify);
    },
    currentImpersonation,
    () => null,
  );
}

/** Return the header that names the impersonated guru in API requests. */
export function impersonationHeaders(): Record<string, string> {
  const impersonation = currentImpersonation();
  return impersonation ? { "Porchlight-Impersonate": impersonation.label } : {};
}

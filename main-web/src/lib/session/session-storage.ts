import { keptMemory } from "../kept-memory";
import type { SignedInUser } from "./session-context";
import type { NewAccount } from "./sync-session";

const SIGNED_IN = "porchlight.signed-in";
const USER = "porchlight.user";
const NEW_ACCOUNT = "porchlight.new-account";
/** Lifetime of the cookie, in milliseconds: 14 days. Each renewal restarts it. */
const COOKIE_LIFETIME_MS = 14 * 86_400_000;

/**
 * Tell whether a user signed in on this browser and did not sign out. Only a hint: it decides whether to load the
 * identity provider on arrival, so that other visitors never download it.
 */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN) !== null;
  } catch {
    return true;
  }
}

/** Return the milliseconds since this session's cookie was renewed; Infinity when unknown. */
export function cookieAge(): number {
  try {
    const renewed = Number(localStorage.getItem(SIGNED_IN));
    return renewed > 0 ? Date.now() - renewed : Infinity;
  } catch {
    return Infinity;
  }
}

/** @param cookieRenewed time of the cookie's renewal in milliseconds of the epoch; 0 when it was not renewed */
export function rememberSignedIn(cookieRenewed: number) {
  try {
    localStorage.setItem(SIGNED_IN, String(cookieRenewed));
  } catch {
    // Without storage the provider is loaded on arrival.
  }
}

/**
 * Return the user of the cookie, or null when unknown or when the cookie has expired. Pages start with this user at
 * once; the server checks the cookie with each request.
 */
export function readRememberedUser(): SignedInUser | null {
  if (cookieAge() > COOKIE_LIFETIME_MS) return null;
  try {
    const user = JSON.parse(localStorage.getItem(USER) ?? "null") as SignedInUser | null;
    return user && typeof user.uid === "string" && typeof user.email === "string" ? user : null;
  } catch {
    return null;
  }
}

export function rememberUser(user: SignedInUser) {
  // Another person does not find what was left on this browser.
  const before = readRememberedUser();
  if (before && before.uid !== user.uid) forgetKeptData();
  try {
    localStorage.setItem(USER, JSON.stringify(user));
  } catch {
    // As above.
  }
}

export function forgetSignedIn() {
  try {
    localStorage.removeItem(USER);
    localStorage.removeItem(SIGNED_IN);
  } catch {
    // As above.
  }
  forgetKeptData();
}

/** Forget what pages kept to work without a connection (lib/kept-data). */
function forgetKeptData() {
  keptMemory.clear();
  try {
    indexedDB.deleteDatabase("porchlight");
  } catch {
    // Without a database nothing else was kept.
  }
}

/** Call back when another tab signs in or out. */
export function watchOtherTabs(changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === SIGNED_IN || event.key === null) changed();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}

/** Keep what a new account was to be registered with, until the API has it. */
export function rememberNewAccount(uid: string, account: NewAccount) {
  try {
    localStorage.setItem(NEW_ACCOUNT, JSON.stringify({ uid, account }));
  } catch {
    // The identity provider still knows the name.
  }
}

/** Return what an account was to be registered with, or null when nothing is kept. */
export function readNewAccount(uid: string): NewAccount | null {
  try {
    const kept = JSON.parse(localStorage.getItem(NEW_ACCOUNT) ?? "null") as { uid: string; account: NewAccount } | null;
    return kept?.uid === uid && typeof kept.account.displayName === "string" ? kept.account : null;
  } catch {
    return null;
  }
}

export function forgetNewAccount() {
  try {
    localStorage.removeItem(NEW_ACCOUNT);
  } catch {
    // Nothing was kept.
  }
}

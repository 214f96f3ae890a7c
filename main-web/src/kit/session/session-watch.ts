import { api, apiWith } from "../api";
import type { Identity } from "./identity";
import { ApiError } from "@porchlight/shared/client";
import { authCode } from "@porchlight/shared/auth-errors";

/** Milliseconds between two looks. With the 30 s that the server believes what it heard, an end is felt in a minute. */
const LOOK_EVERY = 25_000;
const LOOK_AGAIN_AFTER = 5_000;

/** Firebase's codes for a person whose sign-in counts no more. */
const GONE = new Set(["user-disabled", "user-token-expired", "user-not-found", "invalid-user-token"]);

/**
 * What to do when the server refused a token: a fresh one if the person is still signed in, and null otherwise.
 * @param ended told why, when the person is not: disabled, signed out everywhere, or ended from another device
 */
export function tokenRenewal(identity: Identity, ended: (reason: unknown) => void): () => Promise<string | null> {
  let asking: Promise<string | null> | null = null;
  let confirmed = -Infinity;

  const ask = async () => {
    let fresh: string | null;
    try {
      fresh = await identity.renewToken();
    } catch (reason) {
      if (!GONE.has(authCode(reason))) throw reason;
      ended(reason);
      return null;
    }
    if (fresh === null) return null;
    try {
      // Whatever the refused call wanted besides: this one wants nothing but a good token.
      await apiWith(fresh).get("/auth/session");
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 401) {
        ended(reason);
        return null;
      }
      throw reason;
    }
    confirmed = Date.now();
    return fresh;
  };

  return () => {
    // Confirmed a moment ago: the refusal was about something else.
    if (Date.now() - confirmed < LOOK_AGAIN_AFTER) return Promise.resolve(null);
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}

/**
 * Looks now and then whether the person is still signed in, while the page is seen and whenever it comes to sight again.
 * A refused token is the client's matter, and so is what follows from it.
 * @param beside what else is due at each look
 */
export function lookAfterSession(beside: () => void): () => void {
  let looked = Date.now();
  const look = () => {
    if (document.visibilityState !== "visible") return;
    looked = Date.now();
    beside();
    // Without an answer nothing is known, and nothing said: the next look comes.
    api.get("/auth/session").catch(() => undefined);
  };
  const seen = () => {
    if (Date.now() - looked > LOOK_AGAIN_AFTER) look();
  };
  const timer = setInterval(look, LOOK_EVERY);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}

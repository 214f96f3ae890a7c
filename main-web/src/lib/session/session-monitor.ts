import { api, createApiWithToken } from "../api-client";
import type { Identity } from "./identity";
import { ApiError } from "@porchlight/shared/client";
import { authCode } from "@porchlight/shared/session-errors";

/** Milliseconds between two checks. With the server's 30 s cache, an ended session is noticed within a minute. */
const CHECK_INTERVAL_MS = 25_000;
const MIN_CHECK_INTERVAL_MS = 5_000;

/** Firebase error codes for a session that has ended. */
const ENDED_SESSION_CODES = new Set(["user-disabled", "user-token-expired", "user-not-found", "invalid-user-token"]);

/**
 * Create the function that renews a rejected token: it resolves to a new token while the user is signed in, else to
 * null.
 * @param onEnded called with the reason: disabled, signed out everywhere, or signed out from another device
 */
export function createTokenRenewal(
  identity: Identity,
  onEnded: (reason: unknown) => void,
): () => Promise<string | null> {
  let pending: Promise<string | null> | null = null;
  let confirmed = -Infinity;

  const renew = async () => {
    let newToken: string | null;
    try {
      newToken = await identity.renewToken();
    } catch (reason) {
      if (!ENDED_SESSION_CODES.has(authCode(reason))) throw reason;
      onEnded(reason);
      return null;
    }
    if (newToken === null) return null;
    try {
      // A request that needs only a valid token; the rejected request may have needed more.
      await createApiWithToken(newToken).GET("/auth/session");
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 401) {
        onEnded(reason);
        return null;
      }
      throw reason;
    }
    confirmed = Date.now();
    return newToken;
  };

  return () => {
    // The token was just confirmed, so the rejection has another cause.
    if (Date.now() - confirmed < MIN_CHECK_INTERVAL_MS) return Promise.resolve(null);
    pending ??= renew().finally(() => {
      pending = null;
    });
    return pending;
  };
}

/**
 * Check the session regularly while the page is visible, and when it becomes visible. The API client handles a
 * rejected token.
 * @param onCheck called at each check
 */
export function monitorSession(onCheck: () => void): () => void {
  let lastCheck = Date.now();
  const check = () => {
    if (document.visibilityState !== "visible") return;
    lastCheck = Date.now();
    onCheck();
    // Without a response nothing is known; the next check follows.
    api.GET("/auth/session").catch(() => undefined);
  };
  const checkWhenVisible = () => {
    if (Date.now() - lastCheck > MIN_CHECK_INTERVAL_MS) check();
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  document.addEventListener("visibilitychange", checkWhenVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", checkWhenVisible);
  };
}

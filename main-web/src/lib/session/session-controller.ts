import type { QueryClient } from "@tanstack/react-query";
import { toast } from "../toast-store";
import { api, setTokenRenewal, setTokenSource } from "../api-client";
import { configQuery } from "../get-config";
import type { Identity } from "./identity";
import type { Session, SignedInUser } from "./session-context";
import {
  cookieAge,
  forgetSignedIn,
  readRememberedUser,
  rememberSignedIn,
  rememberUser,
  wasSignedIn,
} from "./session-storage";
import { createTokenRenewal } from "./session-monitor";
import { endServerSession, exchangeToken } from "./sync-session";
import { ApiError } from "@porchlight/shared/client";
import { ACCOUNT_DISABLED, authCode, authListenerErrorText, SESSION_ENDED } from "@porchlight/shared/session-errors";

/** Renew the cookie when it is older than this: 12 hours. */
const COOKIE_RENEWAL_MS = 12 * 3_600_000;

/** The provider's code for what a status means. */
const LISTENER_CODES: Record<number, string> = { 0: "network-request-failed", 429: "too-many-requests" };

/** Opens the identity provider; null when none is configured. */
export type OpenIdentity = (queries: QueryClient) => Promise<Identity | null>;

type SessionControllerOptions = {
  queries: QueryClient;
  openIdentity: OpenIdentity;
  setSession: (update: Session | ((before: Session) => Session)) => void;
};

export type SessionController = ReturnType<typeof createSessionController>;

/** Create what keeps the session, the identity provider and the API client's authentication the same. */
export function createSessionController({ queries, openIdentity, setSession }: SessionControllerOptions) {
  let opened: Promise<Identity | null> | null = null;
  let stopListener: (() => void) | null = null;
  let renewToken: (() => Promise<string | null>) | null = null;
  // While an action runs, its result counts, not the listener's intermediate events.
  let isActing = false;

  /** Open the identity provider, once. */
  function open(): Promise<Identity | null> {
    opened ??= openIdentity(queries).catch((reason: unknown) => {
      opened = null;
      throw reason;
    });
    return opened;
  }

  async function runAction<T>(action: () => Promise<T>): Promise<T> {
    isActing = true;
    try {
      return await action();
    } finally {
      isActing = false;
    }
  }

  function setUser(user: SignedInUser | null, { isNew = false, byUser = false } = {}) {
    if (!user) forgetSignedIn();
    else {
      if (!wasSignedIn()) rememberSignedIn(0);
      rememberUser(user);
    }
    setSession((before) => {
      if (!user) return { status: "signed-out", byUser: byUser || (before.status === "signed-out" && before.byUser) };
      const same = before.status === "signed-in" && before.user.uid === user.uid;
      if (same && !isNew && JSON.stringify(before.user) === JSON.stringify(user)) return before;
      return { status: "signed-in", user, isNew: isNew || (same && before.isNew) };
    });
  }

  const clearQueries = () =>
    queries.removeQueries({ predicate: (query) => query.queryKey[0] !== configQuery.queryKey[0] });

  /** Authenticate API requests with this provider's tokens. */
  function authenticateWith(identity: Identity) {
    renewToken = createTokenRenewal(identity, (reason) => void endSession(identity, reason));
    setTokenSource(() => identity.getToken());
    setTokenRenewal(renewToken);
  }

  /** Authenticate API requests with the cookie. The first one that is rejected loads the identity provider. */
  function authenticateByCookie() {
    setTokenRenewal(async () => {
      await watch(true);
      return (await renewToken?.()) ?? null;
    });
  }

  /** Handle a session that the server or the identity provider ended. */
  async function endSession(identity: Identity, reason: unknown) {
    if (isActing) return;
    await runAction(async () => {
      await identity.signOut();
      await endServerSession();
      clearQueries();
      setUser(null);
      toast.error(endedText(reason));
    });
  }

  /** @param isArriving whether the page was opened with an existing session, as opposed to a sign-in just now */
  async function watch(isArriving: boolean) {
    try {
      const identity = await open();
      if (!identity) {
        setUser(null);
        return;
      }
      authenticateWith(identity);
      stopListener ??= identity.watch(
        (user) => {
          if (isActing) return;
          // The provider does not say why it dropped the user.
          if (!user && isArriving && wasSignedIn()) void absenceText().then((text) => toast.error(text));
          setUser(user);
          if (user && isArriving && cookieAge() > COOKIE_RENEWAL_MS) void exchangeToken(identity);
          isArriving = false;
        },
        (error) => toast.error(authListenerErrorText(error)),
      );
    } catch (reason) {
      console.warn("Couldn't check the sign-in state.", reason);
      if (readRememberedUser()) return; // The cookie still authenticates requests; the next check tries again.
      const unreachable = reason instanceof ApiError && reason.status === 0;
      toast.error(authListenerErrorText(unreachable ? { code: "network-request-failed" } : reason));
      setSession({ status: "signed-out", byUser: false });
    }
  }

  function stopWatching() {
    stopListener?.();
    stopListener = null;
  }

  /** Watch the provider again if that did not succeed before, and renew an old cookie. */
  function check() {
    if (!stopListener && readRememberedUser()) void watch(true);
    if (isActing || cookieAge() <= COOKIE_RENEWAL_MS) return;
    open()
      .then((identity) => identity && exchangeToken(identity))
      .catch(() => undefined);
  }

  return { open, runAction, setUser, clearQueries, authenticateWith, authenticateByCookie, watch, stopWatching, check };
}

/** Return the text for a user who arrives with a session and has none any more: what the server says of the cookie. */
async function absenceText(): Promise<string> {
  try {
    await api.GET("/auth/session");
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.status >= 500) return authListenerErrorText(reason);
    if (reason.status === 401) return endedText(reason);
    return authListenerErrorText({ code: LISTENER_CODES[reason.status] });
  }
  return SESSION_ENDED;
}

/** Return the text of a session that ended, also because the identity provider or our staff disabled the account. */
function endedText(reason: unknown): string {
  const wasDisabled = ["user-disabled", "user_disabled"].includes(authCode(reason));
  return wasDisabled ? ACCOUNT_DISABLED : SESSION_ENDED;
}

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { toast } from "../toast-store";
import { api, setTokenRenewal, setTokenSource } from "../api-client";
import { configQuery } from "../get-config";
import { deleteAccount } from "./delete-account";
import { deleteAllSessions } from "./delete-all-sessions";
import { deleteSession } from "./delete-session";
import type { Identity } from "./identity";
import { requestEmailChange } from "./request-email-change";
import { profileQuery } from "./get-profile";
import { SessionContext, type Session, type SessionActions, type SignedInUser } from "./session-context";
import {
  cookieAge,
  forgetSignedIn,
  readRememberedUser,
  rememberSignedIn,
  rememberUser,
  wasSignedIn,
  watchOtherTabs,
} from "./session-storage";
import { monitorSession, createTokenRenewal } from "./session-monitor";
import {
  completeRegistration,
  endServerSession,
  exchangeToken,
  registerAccount,
  type NewAccount,
} from "./sync-session";
import { ApiError } from "@porchlight/shared/client";
import { authCode, authErrorText, AUTH_TEXTS, authListenerErrorText } from "@porchlight/shared/auth-errors";

/** Renew the cookie when it is older than this: 12 hours. */
const COOKIE_RENEWAL_MS = 12 * 3_600_000;

/** The identity provider is loaded after this time when the cookie authenticates requests: the page comes first. */
const IDENTITY_DELAY_MS = 4_000;

const NOT_ON_GURU_SITES = "Guru sites don't know yet that you're signed in. We'll try again when you open this page.";

/** The provider's code for what a status means. */
const LISTENER_CODES: Record<number, string> = { 0: "network-request-failed", 429: "too-many-requests" };

type OpenIdentity = (queries: QueryClient) => Promise<Identity | null>;

type SessionProviderProps = {
  children: ReactNode;
  /** Shown until the first check is done. */
  fallback: ReactNode;
  /** Opens the identity provider, once; null when none is configured. */
  openIdentity?: OpenIdentity;
};

/**
 * Provide the session. A user who is remembered together with a cookie is signed in at once, also offline; otherwise the
 * children are rendered only after the first check (SPEC 2.2).
 */
export function SessionProvider({ children, fallback, openIdentity = openConfigured }: SessionProviderProps) {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session>(initialSession);
  const opened = useRef<Promise<Identity | null> | null>(null);
  const stopWatching = useRef<(() => void) | null>(null);
  const renewToken = useRef<(() => Promise<string | null>) | null>(null);
  // While an action runs, its result counts, not the listener's intermediate events.
  const isActing = useRef(false);

  const control = useMemo(() => {
    const open = () => {
      opened.current ??= openIdentity(queries).catch((reason: unknown) => {
        opened.current = null;
        throw reason;
      });
      return opened.current;
    };

    const setUser = (user: SignedInUser | null, { isNew = false, left: byUser = false } = {}) => {
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
    };

    const clearQueries = () =>
      queries.removeQueries({ predicate: (query) => query.queryKey[0] !== configQuery.queryKey[0] });

    /** Authenticate API requests with this provider's tokens. */
    const authenticateWith = (identity: Identity) => {
      renewToken.current = createTokenRenewal(identity, (reason) => void end(identity, reason));
      setTokenSource(() => identity.getToken());
      setTokenRenewal(renewToken.current);
    };

    /** Authenticate API requests with the cookie. The first one that is rejected loads the identity provider. */
    const authenticateByCookie = () =>
      setTokenRenewal(async () => {
        await watch(true);
        return (await renewToken.current?.()) ?? null;
      });

    /** Handle a session that the server or the identity provider ended. */
    const end = async (identity: Identity, reason: unknown) => {
      if (isActing.current) return;
      isActing.current = true;
      try {
        await identity.signOut();
        await endServerSession();
        clearQueries();
        setUser(null);
        toast.error(wasDisabled(reason) ? authErrorText({ code: "user-disabled" }) : AUTH_TEXTS.sessionEnded);
      } finally {
        isActing.current = false;
      }
    };

    /** @param isArriving whether the page was opened with an existing session, as opposed to a sign-in just now */
    const watch = async (isArriving: boolean) => {
      try {
        const identity = await open();
        if (!identity) {
          setUser(null);
          return;
        }
        authenticateWith(identity);
        stopWatching.current ??= identity.watch(
          (user) => {
            if (isActing.current) return;
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
    };

    return { open, settle: setUser, forget: clearQueries, speakFor: authenticateWith, authenticateByCookie, watch };
  }, [openIdentity, queries]);

  useEffect(() => {
    const isRemembered = readRememberedUser() !== null;
    if (isRemembered) control.authenticateByCookie();
    else if (wasSignedIn()) void control.watch(true);
    const timer = setTimeout(() => isRemembered && void control.watch(true), IDENTITY_DELAY_MS);
    const stopTabs = watchOtherTabs(() => void control.watch(false));
    return () => {
      clearTimeout(timer);
      stopTabs();
      stopWatching.current?.();
      stopWatching.current = null;
    };
  }, [control]);

  const actions = useMemo<SessionActions>(() => {
    const requireIdentity = async (offlineText: string) => {
      const identity = await control.open();
      if (!identity) throw new Error(offlineText);
      return identity;
    };

    /** Sign in with `act`, exchange the token, and only then show the user as signed in. */
    const signInWith = async (
      identity: Identity,
      signIn: () => Promise<SignedInUser>,
      registered?: (user: SignedInUser) => NewAccount & { isNew: boolean },
    ) => {
      isActing.current = true;
      try {
        const user = await signIn();
        control.speakFor(identity);
        const details = registered?.(user);
        if (details) await registerAccount(user, details);
        await signInToGuruSites(identity);
        control.settle({ ...user, displayName: details?.displayName ?? user.displayName }, { isNew: details?.isNew });
      } finally {
        isActing.current = false;
      }
      void control.watch(false);
    };

    /** End the session in this tab once `end` has ended it on the server. */
    const endSession = async (end: () => Promise<unknown>) => {
      const identity = await requireIdentity(AUTH_TEXTS.offline);
      isActing.current = true;
      try {
        await end();
        await identity.signOut();
        control.forget();
        control.settle(null, { left: true });
      } finally {
        isActing.current = false;
      }
    };

    return {
      prepare: (method) => {
        control
          .open()
          .then((identity) => (method === "google" ? identity?.preparePopup() : undefined))
          .catch((reason: unknown) => console.warn("Couldn't prepare sign-in.", reason));
      },
      signIn: async (email, password) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await signInWith(identity, () => identity.signIn(email, password));
      },
      signUp: async ({ firstName, lastName, email, password }) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        const displayName = `${firstName} ${lastName}`.trim();
        await signInWith(
          identity,
          () => identity.signUp(email, password, displayName),
          () => ({ firstName, lastName, displayName, isNew: true }),
        );
      },
      signInWithGoogle: async () => {
        const identity = await requireIdentity(AUTH_TEXTS.offlineGoogle);
        await signInWith(
          identity,
          () => identity.signInWithGoogle(),
          (user) => ({
            displayName: user.displayName,
            ...(user.photoURL && { photoURL: user.photoURL }),
            isNew: false,
          }),
        );
      },
      sendPasswordReset: async (email) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await identity.sendPasswordReset(email);
      },
      applyMailCode: async (code) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await identity.applyMailCode(code);
        const user = await identity.refresh().catch(async (reason: unknown) => {
          // An address change ends all sessions, including this one.
          if (!["user-token-expired", "user-not-found"].includes(authCode(reason))) throw reason;
          await endSession(endServerSession);
          return null;
        });
        if (!user) return;
        await signInToGuruSites(identity);
        control.settle(user);
      },
      setForgottenPassword: async (code, password) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await identity.setForgottenPassword(code, password);
      },
      signOut: () => endSession(deleteSession),
      signOutEverywhere: () => endSession(deleteAllSessions),
      resendVerification: async () => (await requireIdentity(AUTH_TEXTS.offline)).resendVerification(),
      checkVerification: async () => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        const user = await identity.refresh();
        if (!user?.emailVerified) return false;
        await signInToGuruSites(identity);
        control.settle(user);
        return true;
      },
      changePassword: async (password, next) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await identity.confirm(password);
        await identity.changePassword(next);
        // A new password ends older tokens; the cookie needs a new one.
        await identity.refresh();
        await signInToGuruSites(identity);
      },
      changeEmail: async (password, email) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await identity.confirm(password);
        await requestEmailChange(email);
        await identity.changeEmail(email);
      },
      deleteAccount: async (password) => {
        const identity = await requireIdentity(AUTH_TEXTS.offline);
        await identity.confirm(password);
        await endSession(deleteAccount);
      },
    };
  }, [control]);

  const signedIn = session.status === "signed-in" ? session.user : null;
  const uid = signedIn?.uid ?? null;
  const current = useRef(signedIn);
  useEffect(() => void (current.current = signedIn), [signedIn]);
  useEffect(() => {
    // After each sign-in (SPEC 4). Pages that need the profile show its errors. One without a name is not registered.
    const load = async () => {
      if (uid === null) return;
      const { displayName } = await queries.query(profileQuery(uid));
      const user = current.current;
      if (user?.uid === uid && (await completeRegistration(user, displayName))) {
        await queries.invalidateQueries({ queryKey: profileQuery(uid).queryKey });
      }
    };
    load().catch(() => undefined);
  }, [uid, queries]);

  useEffect(() => {
    if (uid === null) return;
    return monitorSession(() => {
      if (!stopWatching.current && readRememberedUser()) void control.watch(true);
      if (isActing.current || cookieAge() <= COOKIE_RENEWAL_MS) return;
      control
        .open()
        .then((identity) => identity && exchangeToken(identity))
        .catch(() => undefined);
    });
  }, [uid, control]);

  const value = useMemo(() => ({ session, actions }), [session, actions]);
  return <SessionContext value={value}>{session.status === "loading" ? fallback : children}</SessionContext>;
}

function initialSession(): Session {
  if (!wasSignedIn()) return { status: "signed-out", byUser: false };
  const user = readRememberedUser();
  return user ? { status: "signed-in", user, isNew: false } : { status: "loading" };
}

async function openConfigured(queries: QueryClient): Promise<Identity | null> {
  const { firebase } = await queries.query({ ...configQuery, staleTime: "static" });
  return firebase ? (await import("./firebase-identity")).openFirebase(firebase) : null;
}

/** Exchange the token after something that the user did, and say so when that fails. */
async function signInToGuruSites(identity: Identity) {
  if (!(await exchangeToken(identity))) toast.error(NOT_ON_GURU_SITES);
}

/** Return the text for a user who arrives with a session and has none any more: what the server says of the cookie. */
async function absenceText(): Promise<string> {
  try {
    await api.GET("/auth/session");
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.status >= 500) return authListenerErrorText(reason);
    if (reason.status === 401)
      return wasDisabled(reason) ? authErrorText({ code: "user-disabled" }) : AUTH_TEXTS.sessionEnded;
    return authListenerErrorText({ code: LISTENER_CODES[reason.status] });
  }
  return AUTH_TEXTS.sessionEnded;
}

/** Tell whether the identity provider or our staff disabled the account. */
function wasDisabled(reason: unknown): boolean {
  return ["user-disabled", "user_disabled"].includes(authCode(reason));
}

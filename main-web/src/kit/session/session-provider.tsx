import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Splash } from "../../ui/splash";
import { toast } from "../../ui/toast-store";
import { setTokenRenewal, setTokenSource } from "../api";
import { configQuery } from "../get-config";
import { deleteAccount, deleteSessions } from "./delete-session";
import type { Identity } from "./identity";
import { postEmailChange } from "./post-email-change";
import { profileQuery } from "./profile";
import { SessionContext, type Session, type SessionActions, type SignedInUser } from "./session-context";
import { cookieAge, forgetSignedIn, rememberSignedIn, wasSignedIn, watchOtherTabs } from "./session-memory";
import { lookAfterSession, tokenRenewal } from "./session-watch";
import { endCookie, exchange, register, type Newcomer } from "./tell-server";
import { ApiError } from "@porchlight/shared/client";
import { authCode, authErrorText, AUTH_TEXTS, authListenerErrorText } from "@porchlight/shared/auth-errors";

/** The cookie is renewed when older than this: 12 hours. */
const COOKIE_RENEWAL = 12 * 3_600_000;

type OpenIdentity = (queries: QueryClient) => Promise<Identity | null>;

type SessionProviderProps = {
  children: ReactNode;
  /** Opens the identity service, once; null when it is not configured. */
  openIdentity?: OpenIdentity;
};

/** Knows who is signed in. Renders its children only after the first check (SPEC 2.2). */
export function SessionProvider({ children, openIdentity = openConfigured }: SessionProviderProps) {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session>(() =>
    wasSignedIn() ? { status: "loading" } : { status: "signed-out", left: false },
  );
  const opened = useRef<Promise<Identity | null> | null>(null);
  const stopWatching = useRef<(() => void) | null>(null);
  // While an action runs, its own outcome counts and not what the listener reports on the way there.
  const acting = useRef(false);

  const control = useMemo(() => {
    const open = () => {
      opened.current ??= openIdentity(queries).catch((reason: unknown) => {
        opened.current = null;
        throw reason;
      });
      return opened.current;
    };

    const settle = (user: SignedInUser | null, { isNew = false, left = false } = {}) => {
      if (!user) forgetSignedIn();
      else if (!wasSignedIn()) rememberSignedIn(0);
      setSession((before) => {
        if (!user) return { status: "signed-out", left: left || (before.status === "signed-out" && before.left) };
        const same = before.status === "signed-in" && before.user.uid === user.uid;
        return { status: "signed-in", user, isNew: isNew || (same && before.isNew) };
      });
    };

    const forget = () => queries.removeQueries({ predicate: (query) => query.queryKey[0] !== configQuery.queryKey[0] });

    /** Tokens come from here from now on. */
    const speakFor = (identity: Identity) => {
      setTokenSource(() => identity.getToken());
      setTokenRenewal(tokenRenewal(identity, (reason) => void end(identity, reason)));
    };

    /** The server or the identity service ended the session. */
    const end = async (identity: Identity, reason: unknown) => {
      if (acting.current) return;
      acting.current = true;
      try {
        await identity.signOut();
        await endCookie();
        forget();
        settle(null);
        toast.error(wasDisabled(reason) ? authErrorText({ code: "user-disabled" }) : AUTH_TEXTS.sessionEnded);
      } finally {
        acting.current = false;
      }
    };

    /** @param arriving whether the person came back signed in, rather than having signed in just now */
    const watch = async (arriving: boolean) => {
      try {
        const identity = await open();
        if (!identity) {
          settle(null);
          return;
        }
        speakFor(identity);
        stopWatching.current ??= identity.watch(
          (user) => {
            if (acting.current) return;
            settle(user);
            if (user && arriving && cookieAge() > COOKIE_RENEWAL) void exchange(identity);
            arriving = false;
          },
          (error) => toast.error(authListenerErrorText(error)),
        );
      } catch (reason) {
        console.warn("The sign-in state could not be checked.", reason);
        const unreachable = reason instanceof ApiError && reason.status === 0;
        toast.error(authListenerErrorText(unreachable ? { code: "network-request-failed" } : reason));
        setSession({ status: "signed-out", left: false });
      }
    };

    return { open, settle, forget, speakFor, watch };
  }, [openIdentity, queries]);

  useEffect(() => {
    if (wasSignedIn()) void control.watch(true);
    const stopTabs = watchOtherTabs(() => void control.watch(false));
    return () => {
      stopTabs();
      stopWatching.current?.();
      stopWatching.current = null;
    };
  }, [control]);

  const actions = useMemo<SessionActions>(() => {
    const ready = async (offlineText: string) => {
      const identity = await control.open();
      if (!identity) throw new Error(offlineText);
      return identity;
    };

    /** Signs someone in by `act`, tells the server, and only then shows them as signed in. */
    const enter = async (
      identity: Identity,
      act: () => Promise<SignedInUser>,
      registered?: (user: SignedInUser) => Newcomer & { isNew: boolean },
    ) => {
      acting.current = true;
      try {
        const user = await act();
        control.speakFor(identity);
        const details = registered?.(user);
        if (details) await register(user, details);
        await exchange(identity);
        control.settle({ ...user, displayName: details?.displayName ?? user.displayName }, { isNew: details?.isNew });
      } finally {
        acting.current = false;
      }
      void control.watch(false);
    };

    /** Ends the session here once `end` has ended it on the server. */
    const leave = async (end: () => Promise<unknown>) => {
      const identity = await ready(AUTH_TEXTS.offline);
      acting.current = true;
      try {
        await end();
        await identity.signOut();
        control.forget();
        control.settle(null, { left: true });
      } finally {
        acting.current = false;
      }
    };

    return {
      prepare: (way) => {
        control
          .open()
          .then((identity) => (way === "google" ? identity?.preparePopup() : undefined))
          .catch((reason: unknown) => console.warn("Signing in could not be prepared.", reason));
      },
      signIn: async (email, password) => {
        const identity = await ready(AUTH_TEXTS.offline);
        await enter(identity, () => identity.signIn(email, password));
      },
      signUp: async ({ firstName, lastName, email, password }) => {
        const identity = await ready(AUTH_TEXTS.offline);
        const displayName = `${firstName} ${lastName}`.trim();
        await enter(
          identity,
          () => identity.signUp(email, password, displayName),
          () => ({ firstName, lastName, displayName, isNew: true }),
        );
      },
      signInWithGoogle: async () => {
        const identity = await ready(AUTH_TEXTS.offlineGoogle);
        await enter(
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
        const identity = await ready(AUTH_TEXTS.offline);
        await identity.sendPasswordReset(email);
      },
      applyMailCode: async (code) => {
        const identity = await ready(AUTH_TEXTS.offline);
        await identity.applyMailCode(code);
        const user = await identity.refresh().catch(async (reason: unknown) => {
          // Another address ends every sign-in, this one too.
          if (!["user-token-expired", "user-not-found"].includes(authCode(reason))) throw reason;
          await leave(endCookie);
          return null;
        });
        if (!user) return;
        await exchange(identity);
        control.settle(user);
      },
      setForgottenPassword: async (code, password) => {
        const identity = await ready(AUTH_TEXTS.offline);
        await identity.setForgottenPassword(code, password);
      },
      signOut: () => leave(endCookie),
      signOutEverywhere: () => leave(deleteSessions),
      resendVerification: async () => (await ready(AUTH_TEXTS.offline)).resendVerification(),
      checkVerification: async () => {
        const identity = await ready(AUTH_TEXTS.offline);
        const user = await identity.refresh();
        if (!user?.emailVerified) return false;
        await exchange(identity);
        control.settle(user);
        return true;
      },
      changePassword: async (password, next) => {
        const identity = await ready(AUTH_TEXTS.offline);
        await identity.confirm(password);
        await identity.changePassword(next);
        // A new password ends older tokens; the cookie of guru sites is drawn anew from a fresh one.
        await identity.refresh();
        await exchange(identity);
      },
      changeEmail: async (password, email) => {
        const identity = await ready(AUTH_TEXTS.offline);
        await identity.confirm(password);
        await postEmailChange(email);
        await identity.changeEmail(email);
      },
      deleteAccount: async (password) => {
        const identity = await ready(AUTH_TEXTS.offline);
        await identity.confirm(password);
        await leave(deleteAccount);
      },
    };
  }, [control]);

  const uid = session.status === "signed-in" ? session.user.uid : null;
  useEffect(() => {
    // After each sign-in (SPEC 4). A failure is shown by the screens that need the profile.
    if (uid !== null) queries.query(profileQuery(uid)).catch(() => undefined);
  }, [uid, queries]);

  useEffect(() => {
    if (uid === null) return;
    return lookAfterSession(() => {
      if (acting.current || cookieAge() <= COOKIE_RENEWAL) return;
      control.open().then((identity) => identity && exchange(identity)).catch(() => undefined);
    });
  }, [uid, control]);

  const value = useMemo(() => ({ session, actions }), [session, actions]);
  return <SessionContext value={value}>{session.status === "loading" ? <Splash /> : children}</SessionContext>;
}

async function openConfigured(queries: QueryClient): Promise<Identity | null> {
  const { firebase } = await queries.query({ ...configQuery, staleTime: "static" });
  return firebase ? (await import("./firebase-identity")).openFirebase(firebase) : null;
}

/** By the identity service's own word, or by our staff's. */
function wasDisabled(reason: unknown): boolean {
  return ["user-disabled", "user_disabled"].includes(authCode(reason));
}

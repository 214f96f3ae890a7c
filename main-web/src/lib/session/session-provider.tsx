import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { configQuery } from "../get-config";
import type { Identity } from "./identity";
import { profileQuery } from "./get-profile";
import { createLazySessionActions } from "./lazy-session-actions";
import { SessionContext, type Session, type SignedInUser } from "./session-context";
import { createSessionController, type OpenIdentity, type SessionController } from "./session-controller";
import { monitorSession } from "./session-monitor";
import { readRememberedUser, wasSignedIn, watchOtherTabs } from "./session-storage";
import { completeRegistration } from "./sync-session";

/** The identity provider is loaded after this time when the cookie authenticates requests: the page comes first. */
const IDENTITY_DELAY_MS = 4_000;

type SessionProviderProps = {
  children: ReactNode;
  /** Shown until the first check is done. */
  fallback: ReactNode;
  openIdentity?: OpenIdentity;
};

/**
 * Provide the session. A user who is remembered together with a cookie is signed in at once, also offline; otherwise the
 * children are rendered only after the first check (SPEC 2.2).
 */
export function SessionProvider({ children, fallback, openIdentity = openConfigured }: SessionProviderProps) {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session>(initialSession);
  const [controller] = useState(() => createSessionController({ queries, openIdentity, setSession }));
  const user = session.status === "signed-in" ? session.user : null;
  useFirstCheck(controller);
  useCompleteRegistration(user);
  useSessionMonitor(controller, user?.uid ?? null);
  const actions = useMemo(() => createLazySessionActions(controller), [controller]);
  const value = useMemo(() => ({ session, actions }), [session, actions]);
  return <SessionContext value={value}>{session.status === "loading" ? fallback : children}</SessionContext>;
}

/** Check the session when the page opens, and when it changes in another tab. */
function useFirstCheck(controller: SessionController) {
  useEffect(() => {
    const isRemembered = readRememberedUser() !== null;
    if (isRemembered) controller.authenticateByCookie();
    else if (wasSignedIn()) void controller.watch(true);
    const timer = setTimeout(() => isRemembered && void controller.watch(true), IDENTITY_DELAY_MS);
    const stopTabs = watchOtherTabs(() => void controller.watch(false));
    return () => {
      clearTimeout(timer);
      stopTabs();
      controller.stopWatching();
    };
  }, [controller]);
}

/** Register a user without a name after each sign-in (SPEC 4). Pages that need the profile show its errors. */
function useCompleteRegistration(user: SignedInUser | null) {
  const queries = useQueryClient();
  const uid = user?.uid ?? null;
  const current = useRef(user);
  useEffect(() => void (current.current = user), [user]);
  useEffect(() => {
    const load = async () => {
      if (uid === null) return;
      const { displayName } = await queries.query(profileQuery(uid));
      const latest = current.current;
      if (latest?.uid === uid && (await completeRegistration(latest, displayName))) {
        await queries.invalidateQueries({ queryKey: profileQuery(uid).queryKey });
      }
    };
    load().catch(() => undefined);
  }, [uid, queries]);
}

/** Check the session of a signed-in user regularly. */
function useSessionMonitor(controller: SessionController, uid: string | null) {
  useEffect(() => {
    return uid === null ? undefined : monitorSession(controller.check);
  }, [uid, controller]);
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

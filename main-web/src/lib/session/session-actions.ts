import { forgetKeptMessages } from "../kept-messages";
import { toast } from "../toast-store";
import { deleteAccount } from "./delete-account";
import { deleteAllSessions } from "./delete-all-sessions";
import { deleteSession } from "./delete-session";
import type { Identity } from "./identity";
import { requestEmailChange } from "./request-email-change";
import type { Proof, SessionActions, SignedInUser } from "./session-context";
import type { SessionController } from "./session-controller";
import { signInWithCode } from "./sign-in-code";
import { endServerSession, exchangeToken, registerAccount, type NewAccount } from "./sync-session";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";
import { authCode } from "@porchlight/shared/session-errors";

const NOT_ON_GURU_SITES = "Guru sites don't know yet that you're signed in. We'll try again when you open this page.";

/** Create what a person can do with their session. */
export function createSessionActions(controller: SessionController): SessionActions {
  const requireIdentity = async (offlineText: string = AUTH_TEXTS.offline) => {
    const identity = await controller.open();
    if (!identity) throw new Error(offlineText);
    return identity;
  };

  /** Sign in with `signIn`, exchange the token, and only then show the user as signed in. */
  const signInWith = async (
    identity: Identity,
    signIn: () => Promise<SignedInUser>,
    registered?: (user: SignedInUser) => NewAccount & { isNew: boolean },
    isNew?: boolean,
  ) => {
    await controller.runAction(async () => {
      const user = await signIn();
      controller.authenticateWith(identity);
      const details = registered?.(user);
      if (details) await registerAccount(user, details);
      await signInToGuruSites(identity);
      controller.setUser(
        { ...user, displayName: details?.displayName ?? user.displayName },
        { isNew: details?.isNew ?? isNew },
      );
    });
    void controller.watch(false);
  };

  /** End the session in this tab once `end` has ended it on the server. */
  const endSession = async (end: () => Promise<unknown>) => {
    const identity = await requireIdentity();
    await controller.runAction(async () => {
      await end();
      await identity.signOut();
      controller.clearQueries();
      forgetKeptMessages();
      controller.setUser(null, { byUser: true });
    });
  };

  return {
    prepare: (method) => {
      controller
        .open()
        .then((identity) => (method === "google" ? identity?.preparePopup() : undefined))
        .catch((reason: unknown) => console.warn("Couldn't prepare sign-in.", reason));
    },
    signIn: async (email, password) => {
      const identity = await requireIdentity();
      await signInWith(identity, () => identity.signIn(email, password));
    },
    signInWithCode: async (code) => {
      const identity = await requireIdentity();
      // Before the identity provider knows of it: wrong digits leave everything as it was.
      const { token, isNew } = await signInWithCode(code);
      await signInWith(identity, () => identity.signInWithToken(token), undefined, isNew);
      return { isNew };
    },
    signUp: async ({ firstName, lastName, email, password }) => {
      const identity = await requireIdentity();
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
    sendPasswordReset: async (email) => (await requireIdentity()).sendPasswordReset(email),
    applyMailCode: async (code) => {
      const identity = await requireIdentity();
      await identity.applyMailCode(code);
      const user = await identity.refresh().catch(async (reason: unknown) => {
        // An address change ends all sessions, including this one.
        if (!["user-token-expired", "user-not-found"].includes(authCode(reason))) throw reason;
        await endSession(endServerSession);
        return null;
      });
      if (!user) return;
      await signInToGuruSites(identity);
      controller.setUser(user);
    },
    setForgottenPassword: async (code, password) => (await requireIdentity()).setForgottenPassword(code, password),
    signOut: () => endSession(deleteSession),
    signOutEverywhere: () => endSession(deleteAllSessions),
    resendVerification: async () => (await requireIdentity()).resendVerification(),
    checkVerification: async () => {
      const identity = await requireIdentity();
      const user = await identity.refresh();
      if (!user?.emailVerified) return false;
      await signInToGuruSites(identity);
      controller.setUser(user);
      return true;
    },
    changePassword: async (proof, next) => {
      const identity = await requireIdentity();
      await confirm(identity, proof);
      await identity.changePassword(next);
      // A new password ends older tokens; the cookie needs a new one.
      await identity.refresh();
      await signInToGuruSites(identity);
    },
    changeEmail: async (proof, email) => {
      const identity = await requireIdentity();
      await confirm(identity, proof);
      await requestEmailChange(email);
      await identity.changeEmail(email);
    },
    deleteAccount: async (proof) => {
      const identity = await requireIdentity();
      await confirm(identity, proof);
      await endSession(deleteAccount);
    },
  };
}

/** Let the user show again who they are. */
async function confirm(identity: Identity, proof: Proof) {
  if (typeof proof === "string" || proof === null) await identity.confirm(proof);
  else await identity.signInWithToken((await signInWithCode(proof)).token);
}

/** Exchange the token after something that the user did, and say so when that fails. */
async function signInToGuruSites(identity: Identity) {
  if (!(await exchangeToken(identity))) toast.error(NOT_ON_GURU_SITES);
}

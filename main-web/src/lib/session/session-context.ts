import { createContext, useContext } from "react";

/** The user as the identity provider knows them. */
export type SignedInUser = {
  uid: string;
  email: string;
  displayName: string;
  photoURL: string | null;
  emailVerified: boolean;
  /** False for accounts that sign in with Google or a code only. */
  hasPassword?: boolean;
  /** Whether the account signs in with Google too. */
  hasGoogle?: boolean;
};

export type Session =
  | { status: "loading" }
  /** `byUser`: the user signed out in this tab, as opposed to never signed in or signed out by the server. */
  | { status: "signed-out"; byUser: boolean }
  /** `isNew`: the account was just created in this tab. */
  | { status: "signed-in"; user: SignedInUser; isNew: boolean };

/** What shows again that it is the user: the password, null for Google's popup, or a code by email. */
export type Proof = string | null | EmailCode;
/** A code that was emailed: its id, and the digits that the user typed. */
export type EmailCode = { id: string; digits: string };

export type SessionActions = {
  /** Load what signing in needs, before the user submits. Errors are ignored. */
  prepare: (method: "password" | "google") => void;
  /** All methods reject with the provider's error, or with an error that says that no provider is configured. */
  signIn: (email: string, password: string) => Promise<void>;
  /** Sign in to the account of the address that got the code; resolves to whether it was created just now. */
  signInWithCode: (code: EmailCode) => Promise<{ isNew: boolean }>;
  signUp: (person: { firstName: string; lastName: string; email: string; password: string }) => Promise<void>;
  signInWithGoogle: () => Promise<void>;
  sendPasswordReset: (email: string) => Promise<void>;
  /** Apply the code from an email link, and update the signed-in user. */
  applyMailCode: (code: string) => Promise<void>;
  setForgottenPassword: (code: string, password: string) => Promise<void>;
  signOut: () => Promise<void>;
  /** End all sessions on all devices, including this one. */
  signOutEverywhere: () => Promise<void>;
  resendVerification: () => Promise<void>;
  /** Check again whether the email address is verified; resolves to the result. */
  checkVerification: () => Promise<boolean>;
  /** Change the password, which `proof` reauthenticates. */
  changePassword: (proof: Proof, next: string) => Promise<void>;
  /** Email a link to a new address, which takes effect once it is opened. */
  changeEmail: (proof: Proof, email: string) => Promise<void>;
  /** Delete the account after reauthentication. */
  deleteAccount: (proof: Proof) => Promise<void>;
};

export const SessionContext = createContext<{ session: Session; actions: SessionActions } | null>(null);

function useSessionContext() {
  const context = useContext(SessionContext);
  if (!context) throw new Error("SessionProvider is missing above");
  return context;
}

/** Return the session. Pages never see "loading": they render after the first check. */
export function useSession(): Session {
  return useSessionContext().session;
}

export function useSessionActions(): SessionActions {
  return useSessionContext().actions;
}

import { createContext, useContext } from "react";

/** What the identity service knows of the person at the keyboard. */
export type SignedInUser = {
  uid: string;
  email: string;
  displayName: string;
  photoURL: string | null;
  emailVerified: boolean;
  /** False for who came with Google alone. */
  hasPassword?: boolean;
};

export type Session =
  | { status: "loading" }
  /** `left`: signed out by their own act in this tab, rather than never signed in or thrown out. */
  | { status: "signed-out"; left: boolean }
  /** `isNew`: the account was made a moment ago, in this tab. */
  | { status: "signed-in"; user: SignedInUser; isNew: boolean };

export type SessionActions = {
  /** Fetches what signing in will need, while the person is on the way to it. Says nothing when that fails. */
  prepare: (way: "password" | "google") => void;
  /** Each rejects with the identity service's error, or with one whose message says that it is not configured. */
  signIn: (email: string, password: string) => Promise<void>;
  signUp: (person: { firstName: string; lastName: string; email: string; password: string }) => Promise<void>;
  signInWithGoogle: () => Promise<void>;
  sendPasswordReset: (email: string) => Promise<void>;
  /** Uses the code of a mail's link up; of who is signed in, what changed by it is known afterwards. */
  applyMailCode: (code: string) => Promise<void>;
  setForgottenPassword: (code: string, password: string) => Promise<void>;
  signOut: () => Promise<void>;
  /** Ends every session on every device, this one too. */
  signOutEverywhere: () => Promise<void>;
  resendVerification: () => Promise<void>;
  /** Looks again whether the e-mail address is verified; resolves to whether it is. */
  checkVerification: () => Promise<boolean>;
  /** @param password the present one; null to prove oneself with Google's popup */
  changePassword: (password: string | null, next: string) => Promise<void>;
  /** Has a link mailed to another address, which becomes the account's once it is opened. */
  changeEmail: (password: string | null, email: string) => Promise<void>;
  /** Erases the account after a fresh proof of who asks. */
  deleteAccount: (password: string | null) => Promise<void>;
};

export const SessionContext = createContext<{ session: Session; actions: SessionActions } | null>(null);

function useSessionContext() {
  const context = useContext(SessionContext);
  if (!context) throw new Error("SessionProvider is missing above");
  return context;
}

/** Who is signed in. Screens never see "loading": they are rendered after the first check. */
export function useSession(): Session {
  return useSessionContext().session;
}

export function useSessionActions(): SessionActions {
  return useSessionContext().actions;
}

import type { SignedInUser } from "./session-context";

/** The identity provider as this app uses it, with one adapter. */
export type Identity = {
  /** Report the signed-in user (or null) now and on every change, also from other tabs. */
  watch: (onUser: (user: SignedInUser | null) => void, onError: (error: unknown) => void) => () => void;
  signIn: (email: string, password: string) => Promise<SignedInUser>;
  /** Sign in with a token of our server, for a person who has proven an email address by a code. */
  signInWithToken: (token: string) => Promise<SignedInUser>;
  /** Create the account, set its name and send the verification email. */
  signUp: (email: string, password: string, displayName: string) => Promise<SignedInUser>;
  /** Load what Google's popup needs, so that it can open immediately on a click. */
  preparePopup: () => Promise<void>;
  signInWithGoogle: () => Promise<SignedInUser>;
  signOut: () => Promise<void>;
  sendPasswordReset: (email: string) => Promise<void>;
  /** Apply the code from an email link: verify, change or restore an address. */
  applyMailCode: (code: string) => Promise<void>;
  /** Set the password with the code from an email. */
  setForgottenPassword: (code: string, password: string) => Promise<void>;
  /** Send the verification email again. */
  resendVerification: () => Promise<void>;
  /** Reload the user: the email address may have been verified meanwhile. */
  refresh: () => Promise<SignedInUser | null>;
  /** Reauthenticate the user by password, or by Google's popup when it is null. A code signs in again instead. */
  confirm: (password: string | null) => Promise<void>;
  /** Email a link to the new address, which takes effect once it is opened. Requires reauthentication. */
  changeEmail: (email: string) => Promise<void>;
  /** Requires reauthentication. */
  changePassword: (password: string) => Promise<void>;
  /** Return the user's ID token, renewed when it is about to expire; null while signed out. */
  getToken: () => Promise<string | null>;
  /** Return a new ID token regardless of the current one's age. Rejects when the session has ended. */
  renewToken: () => Promise<string | null>;
};

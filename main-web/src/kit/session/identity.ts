import type { SignedInUser } from "./session-context";

/** The identity service as this app uses it; one adapter stands behind it. */
export type Identity = {
  /** Reports the signed-in user (or null) now and on every change, also from other tabs. */
  watch: (onUser: (user: SignedInUser | null) => void, onError: (error: unknown) => void) => () => void;
  signIn: (email: string, password: string) => Promise<SignedInUser>;
  /** Creates the account, names it and sends the verification mail. */
  signUp: (email: string, password: string, displayName: string) => Promise<SignedInUser>;
  /** Gets ready what Google's popup needs, so that it can open right after the press. */
  preparePopup: () => Promise<void>;
  signInWithGoogle: () => Promise<SignedInUser>;
  signOut: () => Promise<void>;
  sendPasswordReset: (email: string) => Promise<void>;
  /** Uses the code of a mail's link up: an address is verified, changed, or given back. */
  applyMailCode: (code: string) => Promise<void>;
  /** Sets the password of who got this code by mail. */
  setForgottenPassword: (code: string, password: string) => Promise<void>;
  /** Sends the verification mail of the signed-in user again. */
  resendVerification: () => Promise<void>;
  /** Asks the service anew who is signed in: the e-mail address may have been verified meanwhile. */
  refresh: () => Promise<SignedInUser | null>;
  /** A fresh proof of who is at the keyboard, by password, or by Google's popup when it is null. */
  confirm: (password: string | null) => Promise<void>;
  /** Mails a link to the new address; once it is opened, the account has it. Wants a fresh proof first. */
  changeEmail: (email: string) => Promise<void>;
  /** Wants a fresh proof first. */
  changePassword: (password: string) => Promise<void>;
  /** The ID token of the signed-in user, renewed when it is about to expire; null when nobody is signed in. */
  getToken: () => Promise<string | null>;
  /** A new ID token whatever the age of the present one. Rejects when the person may not have one any more. */
  renewToken: () => Promise<string | null>;
};

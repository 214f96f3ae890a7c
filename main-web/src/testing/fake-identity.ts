import type { Identity } from "@/lib/session/identity";
import type { SignedInUser } from "@/lib/session/session-context";

/** An in-memory identity provider with one user, and the state that a browser would keep. */
export class FakeIdentity implements Identity {
  opened = 0;
  user: SignedInUser | null = null;
  private listeners = new Set<(user: SignedInUser | null) => void>();

  open = () => {
    this.opened += 1;
    return Promise.resolve(this as Identity);
  };
  watch = (onUser: (user: SignedInUser | null) => void) => {
    this.listeners.add(onUser);
    queueMicrotask(() => onUser(this.user));
    return () => void this.listeners.delete(onUser);
  };
  setUser = (user: SignedInUser | null) => {
    this.user = user;
    for (const listener of this.listeners) listener(user);
  };
  signIn = (email: string, password: string) => {
    if (password !== "secret1") {
      return Promise.reject(Object.assign(new Error("no"), { code: "auth/wrong-password" }));
    }
    const user = { uid: "u1", email, displayName: "Ada Lovelace", photoURL: null, emailVerified: true };
    this.setUser(user);
    return Promise.resolve(user);
  };
  signInWithToken = (token: string) => {
    if (token !== "token-of-code") {
      return Promise.reject(Object.assign(new Error("no"), { code: "auth/invalid-custom-token" }));
    }
    const user = { uid: "u4", email: "new@example.com", displayName: "", photoURL: null, emailVerified: true };
    this.setUser(user);
    return Promise.resolve(user);
  };
  signUp = (email: string, _password: string, displayName: string) => {
    // Like Firebase: the listener is called before the account has a name.
    this.setUser({ uid: "u2", email, displayName: "", photoURL: null, emailVerified: false });
    const named = { uid: "u2", email, displayName, photoURL: null, emailVerified: false };
    this.user = named;
    return Promise.resolve(named);
  };
  preparePopup = () => Promise.resolve();
  signInWithGoogle = () => {
    const user = {
      uid: "u3",
      email: "g@example.com",
      displayName: "Grace",
      photoURL: "https://p.example/g.png",
      emailVerified: true,
    };
    this.setUser(user);
    return Promise.resolve(user);
  };
  signOut = () => {
    this.setUser(null);
    return Promise.resolve();
  };
  sendPasswordReset = () => Promise.resolve();
  applyMailCode = () => Promise.resolve();
  setForgottenPassword = () => Promise.resolve();
  resendVerification = () => Promise.resolve();
  refresh = () => Promise.resolve(this.user);
  confirm = (password: string | null) =>
    password === "secret1"
      ? Promise.resolve()
      : Promise.reject(Object.assign(new Error("no"), { code: "auth/wrong-password" }));
  requested: string[] = [];
  changeEmail = (email: string) => {
    this.requested.push(email);
    return Promise.resolve();
  };
  changePassword = () => Promise.resolve();
  renewToken = () => this.getToken();
  getToken = () => Promise.resolve(this.user && `token-of-${this.user.uid}`);
}

import { initializeApp } from "firebase/app";
import {
  applyActionCode,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
  type User,
} from "firebase/auth";
import type { FirebaseSettings } from "../get-config";
import type { Identity } from "./identity";
import type { SignedInUser } from "./session-context";
import { authCode, AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** Firebase Authentication behind our own interface. Loaded only when someone signs in or was signed in. */
export function openFirebase(settings: FirebaseSettings): Identity {
  const { emulatorUrl, ...options } = settings;
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  auth.useDeviceLanguage();
  // The emulator's own warning banner carries inline styles, which our content security policy refuses.
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });

  const present = () => {
    if (!auth.currentUser) throw new Error(AUTH_TEXTS.noUser);
    return auth.currentUser;
  };

  // The popup stands on a hidden frame that Google's library makes. Firebase would fetch it after the press; fetched
  // before, the popup opens right away, as browsers want it. The emulator brings its own stand-in for the library.
  let library: Promise<void> | null = null;
  const preparePopup = () => {
    library ??= loadScript(`${emulatorUrl ?? "https://apis.google.com"}/js/api.js`).catch((reason: unknown) => {
      library = null;
      throw reason;
    });
    return library;
  };

  return {
    watch: (onUser, onError) => onAuthStateChanged(auth, (user) => onUser(user && plain(user)), onError),

    signIn: async (email, password) => plain((await signInWithEmailAndPassword(auth, email, password)).user),

    signUp: async (email, password, displayName) => {
      const { user } = await createUserWithEmailAndPassword(auth, email, password);
      // The account exists from here on: what follows must not make the sign-up look failed.
      await updateProfile(user, { displayName }).catch(warn("The name could not be stored"));
      await sendEmailVerification(user).catch(warn("The verification mail could not be sent"));
      return plain(user);
    },

    preparePopup,
    signInWithGoogle: async () => {
      await preparePopup();
      return plain((await signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver)).user);
    },

    signOut: () => signOut(auth),
    sendPasswordReset: async (email) => {
      try {
        await sendPasswordResetEmail(auth, email);
      } catch (reason) {
        // Whether an address has an account is nobody else's business: the answer looks the same either way.
        if (authCode(reason) !== "user-not-found") throw reason;
      }
    },
    applyMailCode: (code) => applyActionCode(auth, code),
    setForgottenPassword: (code, password) => confirmPasswordReset(auth, code, password),
    resendVerification: () => sendEmailVerification(present()),
    refresh: async () => {
      if (!auth.currentUser) return null;
      await auth.currentUser.reload();
      // The token tells the server of the verified address too.
      await auth.currentUser.getIdToken(true);
      return plain(auth.currentUser);
    },
    confirm: async (password) => {
      const user = present();
      if (password === null) {
        await preparePopup();
        await reauthenticateWithPopup(user, new GoogleAuthProvider(), browserPopupRedirectResolver);
      } else await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? "", password));
      await user.getIdToken(true);
    },
    changeEmail: (email) => verifyBeforeUpdateEmail(present(), email),
    changePassword: (password) => updatePassword(present(), password),
    getToken: async () => (await auth.currentUser?.getIdToken()) ?? null,
    renewToken: async () => (await auth.currentUser?.getIdToken(true)) ?? null,
  };
}

function loadScript(address: string): Promise<void> {
  return new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => loaded();
    script.onerror = () => {
      script.remove();
      failed(Object.assign(new Error(`${address} could not be loaded.`), { code: "auth/network-request-failed" }));
    };
    document.head.append(script);
  });
}

function plain(user: User): SignedInUser {
  return {
    uid: user.uid,
    email: user.email ?? "",
    displayName: user.displayName ?? "",
    photoURL: user.photoURL,
    emailVerified: user.emailVerified,
    hasPassword: user.providerData.some(({ providerId }) => providerId === EmailAuthProvider.PROVIDER_ID),
  };
}

function warn(message: string) {
  return (reason: unknown) => console.warn(message, reason);
}

import { initializeApp } from "@firebase/app";
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
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
  type User,
} from "@firebase/auth";
import type { FirebaseSettings } from "../get-config";
import type { Identity } from "./identity";
import type { SignedInUser } from "./session-context";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";
import { authCode } from "@porchlight/shared/session-errors";

/** Create an identity provider client for Firebase Authentication. Loaded only when it is needed. */
export function openFirebase(settings: FirebaseSettings): Identity {
  const { emulatorUrl, ...options } = settings;
  const auth = initializeAuth(initializeApp(options), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  auth.useDeviceLanguage();
  // The emulator's warning banner has inline styles, which our content security policy blocks.
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });

  // The page can be used before Firebase has read its user: with a remembered user it is loaded at the first action.
  const requireUser = async () => {
    await auth.authStateReady();
    if (!auth.currentUser) throw new Error(AUTH_TEXTS.noUser);
    return auth.currentUser;
  };

  // The popup needs an iframe that Google's library creates. Firebase would load the library after the click; loading
  // it earlier lets the popup open immediately, as browsers require. The emulator has its own replacement.
  let library: Promise<void> | null = null;
  const preparePopup = () => {
    library ??= loadScript(`${emulatorUrl ?? "https://apis.google.com"}/js/api.js`).catch((reason: unknown) => {
      library = null;
      throw reason;
    });
    return library;
  };

  return {
    watch: (onUser, onError) => onAuthStateChanged(auth, (user) => onUser(user && toSignedInUser(user)), onError),

    signIn: async (email, password) => toSignedInUser((await signInWithEmailAndPassword(auth, email, password)).user),

    signInWithToken: async (token) => toSignedInUser((await signInWithCustomToken(auth, token)).user),

    signUp: async (email, password, displayName) => {
      const { user } = await createUserWithEmailAndPassword(auth, email, password);
      // The account exists now: later errors must not make the sign-up look failed.
      await updateProfile(user, { displayName }).catch(warn("Couldn't save the name"));
      await sendEmailVerification(user).catch(warn("Couldn't send the verification email"));
      return toSignedInUser(user);
    },

    preparePopup,
    signInWithGoogle: async () => {
      await preparePopup();
      return toSignedInUser((await signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver)).user);
    },

    signOut: () => signOut(auth),
    sendPasswordReset: async (email) => {
      try {
        await sendPasswordResetEmail(auth, email);
      } catch (reason) {
        // Do not reveal whether an account exists: the response is the same in both cases.
        if (authCode(reason) !== "user-not-found") throw reason;
      }
    },
    applyMailCode: (code) => applyActionCode(auth, code),
    setForgottenPassword: (code, password) => confirmPasswordReset(auth, code, password),
    resendVerification: async () => sendEmailVerification(await requireUser()),
    refresh: async () => {
      await auth.authStateReady();
      if (!auth.currentUser) return null;
      await auth.currentUser.reload();
      // Renew the token, which tells the server that the address is verified.
      await auth.currentUser.getIdToken(true);
      return toSignedInUser(auth.currentUser);
    },
    confirm: async (password) => {
      const user = await requireUser();
      if (password === null) {
        await preparePopup();
        await reauthenticateWithPopup(user, new GoogleAuthProvider(), browserPopupRedirectResolver);
      } else await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? "", password));
      await user.getIdToken(true);
    },
    changeEmail: async (email) => verifyBeforeUpdateEmail(await requireUser(), email),
    changePassword: async (password) => updatePassword(await requireUser(), password),
    getToken: async () => {
      await auth.authStateReady();
      return (await auth.currentUser?.getIdToken()) ?? null;
    },
    renewToken: async () => {
      await auth.authStateReady();
      return (await auth.currentUser?.getIdToken(true)) ?? null;
    },
  };
}

function loadScript(address: string): Promise<void> {
  return new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => loaded();
    script.onerror = () => {
      script.remove();
      failed(Object.assign(new Error(`${address} couldn't be loaded.`), { code: "auth/network-request-failed" }));
    };
    document.head.append(script);
  });
}

function toSignedInUser(user: User): SignedInUser {
  return {
    uid: user.uid,
    email: user.email ?? "",
    displayName: user.displayName ?? "",
    photoURL: user.photoURL,
    emailVerified: user.emailVerified,
    hasPassword: user.providerData.some(({ providerId }) => providerId === EmailAuthProvider.PROVIDER_ID),
    hasGoogle: user.providerData.some(({ providerId }) => providerId === GoogleAuthProvider.PROVIDER_ID),
  };
}

function warn(message: string) {
  return (reason: unknown) => console.warn(message, reason);
}

import type { SessionActions } from "./session-context";
import type { SessionController } from "./session-controller";

/** Create what a person can do with their session. Its code is loaded for the first action: few pages need any. */
export function createLazySessionActions(controller: SessionController): SessionActions {
  let loaded: Promise<SessionActions> | null = null;

  function load(): Promise<SessionActions> {
    loaded ??= import("./session-actions").then(
      ({ createSessionActions }) => createSessionActions(controller),
      (reason: unknown) => {
        loaded = null; // the next action tries again
        throw reason;
      },
    );
    return loaded;
  }

  return {
    prepare: (method) =>
      void load().then(
        (actions) => actions.prepare(method),
        () => undefined,
      ),
    signIn: async (email, password) => (await load()).signIn(email, password),
    signInWithCode: async (code) => (await load()).signInWithCode(code),
    signUp: async (person) => (await load()).signUp(person),
    signInWithGoogle: async () => (await load()).signInWithGoogle(),
    sendPasswordReset: async (email) => (await load()).sendPasswordReset(email),
    applyMailCode: async (code) => (await load()).applyMailCode(code),
    setForgottenPassword: async (code, password) => (await load()).setForgottenPassword(code, password),
    signOut: async () => (await load()).signOut(),
    signOutEverywhere: async () => (await load()).signOutEverywhere(),
    resendVerification: async () => (await load()).resendVerification(),
    checkVerification: async () => (await load()).checkVerification(),
    changePassword: async (proof, next) => (await load()).changePassword(proof, next),
    changeEmail: async (proof, email) => (await load()).changeEmail(proof, email),
    deleteAccount: async (proof) => (await load()).deleteAccount(proof),
  };
}

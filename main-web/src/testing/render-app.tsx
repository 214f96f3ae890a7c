import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, type InitialEntry } from "react-router-dom";
import { routes } from "../app/routes";
import { SessionContext, type Session, type SessionActions } from "../kit/session/session-context";
import { Toaster } from "../ui/toaster";

export const ADA = {
  status: "signed-in",
  isNew: false,
  user: {
    uid: "u1",
    email: "ada@example.com",
    displayName: "Ada Lovelace",
    photoURL: null,
    emailVerified: true,
  },
} satisfies Session;

export const NOBODY: Session = { status: "signed-out", left: false };

const refuse = () => Promise.reject(new Error("not expected in this test"));

/** The whole app at an address, for a given session; `change` swaps the session. */
export function renderApp(at: InitialEntry, session: Session = NOBODY, actions: Partial<SessionActions> = {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const all: SessionActions = {
    prepare: () => undefined,
    signIn: refuse,
    signUp: refuse,
    signInWithGoogle: refuse,
    sendPasswordReset: refuse,
    applyMailCode: refuse,
    setForgottenPassword: refuse,
    signOut: refuse,
    signOutEverywhere: refuse,
    resendVerification: refuse,
    checkVerification: refuse,
    changeEmail: refuse,
    changePassword: refuse,
    deleteAccount: refuse,
    ...actions,
  };
  const tree = (now: Session) => (
    <QueryClientProvider client={queries}>
      <SessionContext value={{ session: now, actions: all }}>
        <RouterProvider router={router} />
      </SessionContext>
      <Toaster />
    </QueryClientProvider>
  );
  const view = render(tree(session));
  return { router, change: (now: Session) => view.rerender(tree(now)) };
}

import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { createMemoryRouter, parsePath, RouterProvider, type InitialEntry } from "react-router-dom";
import { onTestFinished } from "vitest";
import { patchRoutesOnNavigation, routes } from "@/app/routes";
import { SessionContext, type Session, type SessionActions } from "@/lib/session/session-context";
import { LimitSheetHost } from "@/features/billing/components/limit-sheet-host";
import { VerifyEmailHost } from "@/features/auth/components/verify-email-host";
import { Toaster } from "@/components/ui/toaster";
import { closeLimitSheet, createMutationCache } from "@/lib/limit-sheet-store";
import { AppQueryClient } from "@/lib/query-client";

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

export const SIGNED_OUT: Session = { status: "signed-out", byUser: false };

const refuse = () => Promise.reject(new Error("not expected in this test"));

/** Render the app at a URL with a session; `change` replaces the session. */
export function renderApp(at: InitialEntry, session: Session = SIGNED_OUT, actions: Partial<SessionActions> = {}) {
  const queries = new AppQueryClient({
    mutationCache: createMutationCache(),
    defaultOptions: { queries: { retry: false } },
  });
  // The router's default key is the same in each test, and code that compares keys would mix them up.
  const entry = { key: crypto.randomUUID(), ...(typeof at === "string" ? parsePath(at) : at) };
  const router = createMemoryRouter(routes, { patchRoutesOnNavigation, initialEntries: [entry] });
  onTestFinished(() => {
    router.dispose();
    closeLimitSheet();
    queries.clear();
  });
  const all: SessionActions = {
    prepare: () => undefined,
    signIn: refuse,
    signInWithCode: refuse,
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
  const tree = (current: Session) => (
    <QueryClientProvider client={queries}>
      <SessionContext value={{ session: current, actions: all }}>
        <RouterProvider router={router} />
        <VerifyEmailHost />
      </SessionContext>
      <Toaster />
      <LimitSheetHost />
    </QueryClientProvider>
  );
  const view = render(tree(session));
  return { router, queries, change: (current: Session) => view.rerender(tree(current)) };
}

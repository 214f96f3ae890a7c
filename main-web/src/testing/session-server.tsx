import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { useEffect } from "react";
import { beforeEach, onTestFinished } from "vitest";
import { Splash } from "@/components/ui/splash";
import { Toaster } from "@/components/ui/toaster";
import type { Identity } from "@/lib/session/identity";
import { useSession, useSessionActions, type SessionActions } from "@/lib/session/session-context";
import { SessionProvider } from "@/lib/session/session-provider";
import { FakeIdentity } from "./fake-identity";
import { apiServer } from "./api-server";

const holder: { actions?: SessionActions } = {};
/** The actions of the rendered provider. */
export const actions = new Proxy({} as SessionActions, {
  get: (_target, name: keyof SessionActions) => holder.actions?.[name],
});

function Show() {
  const session = useSession();
  const sessionActions = useSessionActions();
  useEffect(() => void (holder.actions = sessionActions), [sessionActions]);
  if (session.status !== "signed-in")
    return <p>{session.status === "signed-out" && session.byUser ? "left" : "visitor"}</p>;
  return <p>{`${session.user.displayName || "nameless"}${session.isNew ? ", new" : ""}`}</p>;
}

/** Start a fake API and a fake identity provider for the tests of the session. Each test has a new `fake.identity`. */
export function sessionServer() {
  const { responses, calls } = apiServer();
  const fake = { identity: new FakeIdentity() };

  beforeEach(() => {
    fake.identity = new FakeIdentity();
    responses.set("POST /api/auth/session", {});
    responses.set("DELETE /api/auth/session", {});
    responses.set("POST /api/auth/register", { status: 201 });
  });

  function renderProvider(open: (queries: QueryClient) => Promise<Identity | null> = fake.identity.open) {
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    onTestFinished(() => queries.clear());
    render(
      <QueryClientProvider client={queries}>
        <SessionProvider fallback={<Splash />} openIdentity={open}>
          <Show />
        </SessionProvider>
        <Toaster />
      </QueryClientProvider>,
    );
  }

  // The profile loads in parallel and may outlast a test.
  const steps = () => calls.filter((call) => call.route !== "GET /api/auth/profile");
  /** The last request of a route. Others, such as the profile's, may arrive after it. */
  const lastCall = (route: string) => calls.findLast((call) => call.route === route);
  const exchanges = () => calls.filter((call) => call.route === "POST /api/auth/session");
  return { responses, calls, fake, renderProvider, steps, lastCall, exchanges };
}

import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { loginRedirectTarget, type LoginState } from "@/lib/login-redirect";
import { useImpersonation } from "@/lib/impersonation";
import { useSession } from "@/lib/session/session-context";
import { Splash } from "@/components/ui/splash";
import { paths } from "@/config/paths";

/**
 * Let signed-in users pass. Others go to the login page, which returns them here; users who sign out here go home
 * (SPEC 2.1).
 */
export function RequireSignedIn() {
  const session = useSession();
  const location = useLocation();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  const impersonation = useImpersonation();
  const [wasImpersonating, setWasImpersonating] = useState(false);
  // Staff impersonating a guru see the console, whether or not they are signed in; afterwards they return to the
  // admin area.
  if (/^\/guru(\/|$)/.test(location.pathname)) {
    if (impersonation && !wasImpersonating) setWasImpersonating(true);
    if (impersonation) return <Outlet />;
    if (wasImpersonating) return <Navigate to={paths.adminSites} replace />;
  }
  if (session.status === "signed-in") {
    if (!wasSignedIn) setWasSignedIn(true);
    return <Outlet />;
  }
  if (session.status === "loading") return <Splash />;
  if (session.byUser && wasSignedIn) return <Navigate to={paths.home} replace />;
  const state: LoginState = { from: location.pathname + location.search + location.hash };
  return <Navigate to={paths.login} replace state={state} />;
}

/** Let signed-out users pass. Signed-in users go to the page they came for, else to the dashboard. */
export function RequireSignedOut() {
  const session = useSession();
  const location = useLocation();
  if (session.status !== "signed-in") return <Outlet />;
  const target = loginRedirectTarget(location);
  return target.kind === "path" ? <Navigate to={target.to} replace /> : <ExternalRedirect href={target.href} />;
}

function ExternalRedirect({ href }: { href: string }) {
  useEffect(() => window.location.replace(href), [href]);
  return <Splash message="Redirecting..." />;
}

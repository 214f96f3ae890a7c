import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { arrivalTarget, type LoginState } from "../kit/arrival";
import { useLookingAs } from "../kit/looking-as";
import { useSession } from "../kit/session/session-context";
import { Splash } from "../ui/splash";
import { paths } from "./paths";

/** Signed-in only; others go to the login page, which brings them back. Who signs out here goes home (SPEC 2.1). */
export function RequireSignedIn() {
  const session = useSession();
  const location = useLocation();
  const [wasIn, setWasIn] = useState(false);
  const looking = useLookingAs();
  const [wasLooking, setWasLooking] = useState(false);
  // Staff who look as a guru see that guru's console, whoever else they are; when that ends they are staff again.
  if (/^\/guru(\/|$)/.test(location.pathname)) {
    if (looking && !wasLooking) setWasLooking(true);
    if (looking) return <Outlet />;
    if (wasLooking) return <Navigate to={paths.adminSites} replace />;
  }
  if (session.status === "signed-in") {
    if (!wasIn) setWasIn(true);
    return <Outlet />;
  }
  if (session.status === "loading") return <Splash />;
  if (session.left && wasIn) return <Navigate to={paths.home} replace />;
  const state: LoginState = { from: location.pathname + location.search + location.hash };
  return <Navigate to={paths.login} replace state={state} />;
}

/** Signed-out only; a signed-in person goes on to where they were headed, or else to the dashboard. */
export function RequireSignedOut() {
  const session = useSession();
  const location = useLocation();
  if (session.status !== "signed-in") return <Outlet />;
  const target = arrivalTarget(location);
  return target.kind === "path" ? <Navigate to={target.to} replace /> : <Leave href={target.href} />;
}

function Leave({ href }: { href: string }) {
  useEffect(() => window.location.replace(href), [href]);
  return <Splash message="Taking you back..." />;
}

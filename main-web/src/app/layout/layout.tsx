import { lazy, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router-dom";
import { useImpersonation } from "@/lib/impersonation";
import { keepsAnswers } from "@/lib/keep-answers";
import { useSession } from "@/lib/session/session-context";
import { Footer } from "./footer";
import { Header } from "./header";
import { OfflineBanner } from "./offline-banner";
import styles from "./layout.module.css";
import { useKeptScroll } from "./use-kept-scroll";
import { useRouteFocus } from "./use-route-focus";
import { WorkspaceHeader, workspaceOf } from "./workspace-header";
import { keepFocus } from "@porchlight/shared/focus-keeper";
import { showLateFonts } from "@porchlight/shared/late-fonts";

const ImpersonationBanner = lazy(async () => ({
  default: (await import("@/features/admin/impersonation/components/impersonation-banner")).ImpersonationBanner,
}));

// Few visits come back from the payment provider.
const CheckoutResult = lazy(async () => ({
  default: (await import("@/features/billing/components/checkout-result")).CheckoutResult,
}));

/** The layout of every page: skip link, header, main area, footer. Places of work have a header of their own, no footer. */
export function Layout() {
  const main = useRouteFocus();
  useKeptScroll();
  useEffect(() => keepFocus(), []);
  const navigation = useNavigation();
  useEffect(() => {
    if (navigation.state === "loading") showLateFonts();
  }, [navigation.state]);
  const impersonation = useImpersonation();
  const location = useLocation();
  const session = useSession();
  const workspace = workspaceOf(location.pathname);
  // On the root, because dialogs, menus and toasts are outside of the app's element.
  useLayoutEffect(() => {
    document.documentElement.dataset.place = workspace ?? "main";
  }, [workspace]);
  const [returned, setReturned] = useState(false);
  if (!returned && new URLSearchParams(location.search).has("checkout")) setReturned(true);
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {navigation.state === "loading" && <div className={styles.progress} role="presentation" />}
      {workspace ? <WorkspaceHeader area={workspace} /> : <Header />}
      <OfflineBanner mayShowKept={session.status === "signed-in" && keepsAnswers(location.pathname)} />
      {impersonation && (
        <Suspense fallback={null}>
          <ImpersonationBanner key={impersonation.label} impersonation={impersonation} />
        </Suspense>
      )}
      {returned && (
        <Suspense fallback={null}>
          <CheckoutResult />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main} data-page={location.pathname}>
        <Outlet />
      </main>
      {!workspace && !location.pathname.startsWith("/messages") && <Footer />}
      <ScrollRestoration />
    </>
  );
}

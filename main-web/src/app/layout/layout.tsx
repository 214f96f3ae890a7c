import { lazy, Suspense } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router-dom";
import { useImpersonation } from "@/lib/impersonation";
import { Footer } from "./footer";
import { Header } from "./header";
import { OfflineBanner } from "./offline-banner";
import styles from "./layout.module.css";
import { useRouteFocus } from "./use-route-focus";
import { WorkspaceHeader, workspaceOf } from "./workspace-header";

const ImpersonationBanner = lazy(async () => ({
  default: (await import("@/features/admin/impersonation/components/impersonation-banner")).ImpersonationBanner,
}));

/** The layout of every page: skip link, header, main area, footer. Places of work have a header of their own, no footer. */
export function Layout() {
  const main = useRouteFocus();
  const navigation = useNavigation();
  const impersonation = useImpersonation();
  const workspace = workspaceOf(useLocation().pathname);
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {navigation.state === "loading" && <div className={styles.progress} role="presentation" />}
      {workspace ? <WorkspaceHeader area={workspace} /> : <Header />}
      <OfflineBanner />
      {impersonation && (
        <Suspense fallback={null}>
          <ImpersonationBanner key={impersonation.label} impersonation={impersonation} />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      {!workspace && <Footer />}
      <ScrollRestoration />
    </>
  );
}

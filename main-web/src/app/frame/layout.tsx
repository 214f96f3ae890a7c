import { lazy, Suspense } from "react";
import { Outlet, ScrollRestoration, useNavigation } from "react-router-dom";
import { useLookingAs } from "../../kit/looking-as";
import { Footer } from "./footer";
import { Header } from "./header";
import { OfflineBanner } from "./offline-banner";
import styles from "./layout.module.css";
import { useRouteFocus } from "./use-route-focus";

const LookingBanner = lazy(async () => ({
  default: (await import("../../features/admin/looking-banner")).LookingBanner,
}));

/** The frame round every screen: skip link, header, main area, footer. */
export function Layout() {
  const main = useRouteFocus();
  const navigation = useNavigation();
  const looking = useLookingAs();
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {navigation.state === "loading" && <div className={styles.progress} role="presentation" />}
      <Header />
      <OfflineBanner />
      {looking && (
        <Suspense fallback={null}>
          <LookingBanner key={looking.label} look={looking} />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <Footer />
      <ScrollRestoration />
    </>
  );
}

// Order matters: later files override earlier ones.
import "../components/styles/base.css";
import "../components/styles/button.css";
import "../components/styles/header.css";
import "../components/styles/hero.css";
import "../components/styles/cards.css";
import "../components/styles/services.css";
import "../components/styles/community-banner.css";
import "../components/styles/page.css";
import "../components/styles/reviews.css";
import "../components/styles/times.css";
import "../components/styles/posts.css";
import "../components/styles/form.css";
import "../components/styles/notice.css";
import "../components/styles/plain-page.css";
import "../components/styles/page-skeleton.css";
import "../components/styles/footer.css";
import "../components/styles/responsive.css";
import "../components/styles/pictures.css";
import "../components/styles/lightbox.css";
import "../components/styles/large-text.css";
import "../components/styles/print.css";

import { keepFocus } from "@porchlight/shared/focus-keeper";
import { showLateFonts } from "@porchlight/shared/late-fonts";
import type { AppProps } from "next/app";
import { useEffect } from "react";

import { SiteRoot } from "../components/layout/site-root";

export default function App({ Component, pageProps, router }: AppProps<Record<string, unknown>>) {
  useEffect(() => keepFocus(), []);
  useEffect(() => {
    router.events.on("routeChangeStart", showLateFonts);
    return () => router.events.off("routeChangeStart", showLateFonts);
  }, [router]);
  return <SiteRoot page={router.pathname} path={router.asPath} Page={Component} props={pageProps} />;
}

// In this order: a later file wins.
import "../styles/base.css";
import "../styles/frame.css";
import "../styles/hero.css";
import "../styles/cards.css";
import "../styles/services.css";
import "../styles/reading.css";
import "../styles/form.css";
import "../styles/notices.css";
import "../styles/foot.css";
import "../styles/widths.css";

import type { AppProps } from "next/app";

import { GuruSite } from "../app/guru-site";

export default function App({ Component, pageProps, router }: AppProps<Record<string, unknown>>) {
  return <GuruSite page={router.pathname} path={router.asPath} Page={Component} props={pageProps} />;
}

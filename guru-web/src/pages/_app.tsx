import "../styles/site.css";

import type { AppProps } from "next/app";

import { GuruSite } from "../app/guru-site";

export default function App({ Component, pageProps, router }: AppProps<Record<string, unknown>>) {
  return <GuruSite page={router.pathname} path={router.asPath} Page={Component} props={pageProps} />;
}

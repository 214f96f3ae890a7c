import { RedirectPage } from "../features/redirects/pages/redirect-page";
import { staticProps } from "../lib/static-props";
import type { RedirectProps } from "../lib/types";

export default function Login({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/login" />;
}

export const getStaticProps = staticProps;

import { RedirectPage } from "../features/redirects/pages/redirect-page";
import { staticProps } from "../lib/static-props";
import type { RedirectProps } from "../lib/types";

export default function Dashboard({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/dashboard" />;
}

export const getStaticProps = staticProps;

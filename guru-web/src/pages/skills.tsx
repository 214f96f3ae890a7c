import { RedirectPage } from "../features/redirects/pages/redirect-page";
import { staticProps } from "../lib/static-props";
import type { RedirectProps } from "../lib/types";

export default function Skills({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/skills" />;
}

export const getStaticProps = staticProps;

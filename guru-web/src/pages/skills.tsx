import { RedirectPage } from "../features/redirect/redirect-page";
import { shellProps } from "../site/shell-props";
import type { RedirectProps } from "../site/types";

export default function Skills({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/skills" />;
}

export const getStaticProps = shellProps;

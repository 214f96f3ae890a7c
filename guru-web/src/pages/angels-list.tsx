import { RedirectPage } from "../features/redirect/redirect-page";
import { shellProps } from "../site/shell-props";
import type { RedirectProps } from "../site/types";

export default function AngelsList({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/angels-list" />;
}

export const getStaticProps = shellProps;

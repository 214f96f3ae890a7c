import { RedirectPage } from "../features/redirect/redirect-page";
import { shellProps } from "../site/shell-props";
import type { RedirectProps } from "../site/types";

export default function Signup({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/signup" />;
}

export const getStaticProps = shellProps;

import { RedirectPage } from "../features/redirect/redirect-page";
import { shellProps } from "../site/shell-props";
import type { RedirectProps } from "../site/types";

export default function Login({ site }: RedirectProps) {
  return <RedirectPage site={site} path="/login" />;
}

export const getStaticProps = shellProps;

import { useEffect } from "react";

import { PlainHead } from "../../../components/layout/plain-head";
import { PlainPage } from "../../../components/layout/plain-page";
import type { RedirectProps } from "../../../lib/types";

/**
 * SPEC 2.4: shows a message, then redirects the browser to the same path on the main site. Without JavaScript the
 * server's Refresh header or the button does so.
 */
export function RedirectPage({ site, path }: RedirectProps & { path: string }) {
  const target = site.mainOrigin + path;
  useEffect(() => {
    window.location.replace(target + window.location.search);
  }, [target]);
  return (
    <>
      <PlainHead title="Redirecting to the main platform" />
      <PlainPage heading="Redirecting to the main platform" action={{ href: target, label: "Continue" }} />
    </>
  );
}

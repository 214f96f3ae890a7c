import { useEffect } from "react";

import { PlainHead } from "../../site/guru-not-found";
import { PlainPage } from "../../site/plain-page";
import type { RedirectProps } from "../../site/types";

/**
 * SPEC 2.4: says so, then sends the browser to the same path on the main platform. Without JavaScript the
 * server's Refresh header does it, or the visitor by the button.
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

import { Suspense, type ReactNode } from "react";

import { Footer } from "./footer";
import { Header } from "./header";
import { Notice } from "./notice";
import type { Site } from "./types";

interface FrameProps {
  site: Site;
  page: string;
  /** What could not be loaded, in SPEC's words; empty in the ordinary case. */
  troubles: readonly string[];
  children: ReactNode;
}

/**
 * What stands around every page of a guru's site.
 *
 * Nothing in it is waited for: the boundaries let React bring the page to life piece by piece, and stop in between for
 * whatever the visitor does. Without them it is one task, the longest of all on a slow phone.
 */
export function Frame({ site, page, troubles, children }: FrameProps) {
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Suspense>
        <Header site={site} page={page} />
      </Suspense>
      <main id="content" tabIndex={-1}>
        {troubles.length > 0 && (
          <div className="wrap">
            <Notice title={troubles.join(". ")}>
              <p>This is a shortened version of the site. Please try again in a minute.</p>
            </Notice>
          </div>
        )}
        <Suspense>{children}</Suspense>
      </main>
      <Suspense>
        <Footer site={site} />
      </Suspense>
    </>
  );
}

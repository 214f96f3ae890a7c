import type { ReactNode } from "react";

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

/** What stands around every page of a guru's site. */
export function Frame({ site, page, troubles, children }: FrameProps) {
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Header site={site} page={page} />
      <main id="content" tabIndex={-1}>
        {troubles.length > 0 && (
          <div className="wrap">
            <Notice title={troubles.join(". ")}>
              <p>This is a shortened version of the site. Please try again in a minute.</p>
            </Notice>
          </div>
        )}
        {children}
      </main>
      <Footer site={site} />
    </>
  );
}

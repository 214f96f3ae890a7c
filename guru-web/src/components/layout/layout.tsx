import { Suspense, type ReactNode } from "react";

import type { Site } from "../../lib/types";
import { Notice } from "../ui/notice";
import { Footer } from "./footer";
import { Header } from "./header";

interface LayoutProps {
  site: Site;
  page: string;
  /** SPEC 8.1's texts for data that failed to load; usually empty. */
  errors: readonly string[];
  children: ReactNode;
}

/**
 * Header, main area and footer of a page.
 *
 * Nothing inside suspends. The Suspense boundaries make React hydrate the page in several tasks and handle user input
 * between them; without them, hydration is a single long task on a slow phone.
 */
export function Layout({ site, page, errors, children }: LayoutProps) {
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Suspense>
        <Header site={site} page={page} />
      </Suspense>
      <main id="content" tabIndex={-1}>
        {errors.length > 0 && (
          <div className="container">
            <Notice title={errors.join(". ")}>
              <p>Some content couldn't load. Please try again in a minute.</p>
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

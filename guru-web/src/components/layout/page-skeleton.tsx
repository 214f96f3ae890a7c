import { PlainHead } from "./plain-head";

/** Loading placeholder, shown while the browser fetches data for a page that was served without it. */
export function PageSkeleton() {
  return (
    <main className="container page-skeleton" id="content">
      <PlainHead title="Porchlight" />
      <p className="visually-hidden" role="status">
        Loading…
      </p>
      <div aria-hidden="true">
        <p className="skeleton-line skeleton-line-short" />
        <p className="skeleton-line skeleton-line-title" />
        <p className="skeleton-line" />
        <p className="skeleton-line skeleton-line-half" />
      </div>
      <noscript>
        <p className="notice">This site is temporarily unavailable. Please try again in a minute.</p>
      </noscript>
    </main>
  );
}

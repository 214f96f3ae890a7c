import { PlainHead } from "../site/guru-not-found";

/** Shown while the browser asks the API itself, because the page came without data. */
export function Waiting() {
  return (
    <main className="wrap waiting" id="content">
      <PlainHead title="Porchlight" />
      <p className="hidden" role="status">
        Loading…
      </p>
      <div aria-hidden="true">
        <p className="bone bone-short" />
        <p className="bone bone-title" />
        <p className="bone" />
        <p className="bone bone-half" />
      </div>
      <noscript>
        <p className="notice">This site is resting for a moment. Please try again in a minute.</p>
      </noscript>
    </main>
  );
}

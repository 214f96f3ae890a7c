import type { Hold } from "../lib/types";
import styles from "./book-page.module.css";
import { formatTerms } from "@porchlight/shared/format/session-terms";

/** The terms that apply once the hold is booked. `usesPackage`: a package covers all of it, so nothing has a price. */
export function BookingTerms({ hold, usesPackage }: { hold: Hold; usesPackage: boolean }) {
  return (
    <section aria-labelledby="terms" className={styles.terms}>
      <h2 id="terms">Terms</h2>
      <ul>
        {formatTerms({ ...hold.policy, priceCents: hold.priceCents }, usesPackage).map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      <p className={styles.soft}>
        Once it&apos;s booked, you and {hold.guruName} can email each other. You see each other&apos;s email address
        then.
      </p>
    </section>
  );
}

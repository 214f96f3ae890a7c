import { CheckField } from "@/components/ui/check-field";
import { leftText } from "../lib/package-texts";
import type { Hold } from "../lib/types";
import type { BookingFormState } from "../lib/use-booking-form";
import styles from "./book-page.module.css";

type PackageStepProps = { hold: Hold; form: BookingFormState };

/** The user's package that covers the session, or some sessions of the series. It is used unless they say no. */
export function PackageStep({ hold, form }: PackageStepProps) {
  const { covered, paysAll, setPaysAll } = form.packages;
  const count = form.plan.starts.length + 1;
  if (!hold.package || covered === 0) return null;
  return (
    <section aria-labelledby="package" className={styles.step}>
      <h2 id="package" className={styles.stepTitle}>
        Your package
      </h2>
      <CheckField
        id="use-package"
        label={`Use ${hold.package.name}`}
        checked={!paysAll}
        onChange={(event) => setPaysAll(!event.target.checked)}
      />
      <p className={styles.soft}>{leftText(hold.package)}.</p>
      {!paysAll && (
        <p role="status">
          {count === 1
            ? hold.party > 1
              ? `This booking uses ${hold.party} sessions of it, one for each of you.`
              : "This session uses it. You pay nothing more."
            : covered === count
              ? `All ${count} sessions use it.`
              : `The first ${covered} of the ${count} sessions ${covered === 1 ? "uses" : "use"} it. You pay for the others.`}
        </p>
      )}
    </section>
  );
}

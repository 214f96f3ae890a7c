import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { SignedInUser } from "@/lib/session/session-context";
import type { SoldPackage } from "../lib/package-texts";
import { usePackageForm } from "../lib/use-package-form";
import styles from "./book-page.module.css";
import { PackageError } from "./package-error";
import { VerifyEmailStep } from "./verify-email-step";
import { formatCents } from "@porchlight/shared/format/money";

const MAX_NAME_LENGTH = 80;

type PackageFormProps = { label: string; guruName: string; item: SoldPackage; user: SignedInUser };

/** The form that leads to Stripe's page for a package: the buyer's name and the terms. */
export function PackageForm({ label, guruName, item, user }: PackageFormProps) {
  const form = usePackageForm({ label, item, user });
  const { verification } = form;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <Field label="Your name" hint={`${guruName} sees it.`} error={form.nameError}>
        <Input
          name="name"
          autoComplete="name"
          maxLength={MAX_NAME_LENGTH}
          value={form.name}
          {...form.nameHandlers}
          onChange={(event) => form.change(event.currentTarget.value)}
        />
      </Field>
      <section aria-labelledby="terms" className={styles.terms}>
        <h2 id="terms">Terms</h2>
        <ul>
          <li>You choose a time for each session. A booking uses one session for each person.</li>
          <li>Cancel a session while it&apos;s free, and it goes back to your package.</li>
          <li>If you cancel late or don&apos;t come, the session is used.</li>
          <li>
            Your sessions have to start within {item.days} days of your payment. What is left after the last day ends,
            and its price stays with {guruName}.
          </li>
          <li>If {guruName} takes unused sessions back, their price goes back to your card.</li>
        </ul>
        <p className={styles.soft}>
          You pay on Stripe&apos;s page. {guruName} gets the money session by session, as they take place.
        </p>
      </section>
      {verification.isNeeded && (
        <VerifyEmailStep email={user.email} keeps="What you typed stays here." onVerified={verification.confirm} />
      )}
      {verification.isDone && <Notice tone="success">Your email is verified. You can pay now.</Notice>}
      {!verification.isNeeded && <PackageError error={form.error} item={item} sentCents={form.sentCents} />}
      <div className={styles.submit}>
        {verification.isNeeded && (
          <p id="pay-hint" className={styles.soft}>
            Please verify your email first.
          </p>
        )}
        <Button
          type="submit"
          size="lg"
          block
          loading={form.isPending}
          disabled={verification.isNeeded}
          aria-describedby={verification.isNeeded ? "pay-hint" : undefined}
        >
          {`Continue to payment – ${formatCents(item.priceCents)}`}
        </Button>
      </div>
    </form>
  );
}
